const digits = (text: string, most: number): string => text.replace(/\D/g, '').slice(0, most);

/** `4242424242424242` → `4242 4242 4242 4242`. */
export const groupNumber = (typed: string): string =>
  digits(typed, 19)
    .replace(/(.{4})/g, '$1 ')
    .trim();

/** Four digits if the year starts with `20`, otherwise two. */
const expiryDigits = (text: string): string => {
  const plain = digits(text, 6);
  return plain.length > 4 && !plain.startsWith('20', 2) ? plain.slice(0, 4) : plain;
};

/** `1230` → `12 / 30`, `5` → `05 / `. Adds nothing while deleting; `before` is the previous text. */
export const groupExpiry = (typed: string, before: string): string => {
  const plain = expiryDigits(typed);
  const deleting = typed.length < before.length;
  const full = !deleting && /^[2-9]/.test(plain) ? expiryDigits(`0${plain}`) : plain;
  return full.length > 2 || (full.length === 2 && !deleting)
    ? `${full.slice(0, 2)} / ${full.slice(2)}`
    : full;
};

export const groupCvc = (typed: string): string => digits(typed, 4);

export const expiryOf = (text: string): { month: string; year: string } => {
  const plain = expiryDigits(text);
  const year = plain.slice(2);
  return { month: plain.slice(0, 2), year: year.length > 2 ? year : `20${year}` };
};
