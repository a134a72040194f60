/** Formats a card's number, expiry and security code while they are typed. */

const digits = (text: string, most: number): string => text.replace(/\D/g, '').slice(0, most);

/** `4242424242424242` → `4242 4242 4242 4242`. */
export const groupNumber = (typed: string): string =>
  digits(typed, 19)
    .replace(/(.{4})/g, '$1 ')
    .trim();

/** A year of four digits is `20` and two more; otherwise two digits are enough. */
const expiryDigits = (text: string): string => {
  const plain = digits(text, 6);
  return plain.length > 4 && !plain.startsWith('20', 2) ? plain.slice(0, 4) : plain;
};

/** `1230` → `12 / 30`, `12/2030` → `12 / 2030`, `5` → `05 / `. `before` is the text before the last key: while deleting, nothing is added. */
export const groupExpiry = (typed: string, before: string): string => {
  const plain = expiryDigits(typed);
  const deleting = typed.length < before.length;
  const full = !deleting && /^[2-9]/.test(plain) ? expiryDigits(`0${plain}`) : plain;
  return full.length > 2 || (full.length === 2 && !deleting)
    ? `${full.slice(0, 2)} / ${full.slice(2)}`
    : full;
};

/** At most four digits. */
export const groupCvc = (typed: string): string => digits(typed, 4);

/** `12 / 30` or `12 / 2030` → month `12` of year `2030`. */
export const expiryOf = (text: string): { month: string; year: string } => {
  const plain = expiryDigits(text);
  const year = plain.slice(2);
  return { month: plain.slice(0, 2), year: year.length > 2 ? year : `20${year}` };
};
