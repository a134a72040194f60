export interface Strength {
  /** From 0 (too short) to 4 (strong). */
  readonly score: number;
  readonly words: string;
}

export const strengthOf = (password: string): Strength | undefined => {
  if (!password) return undefined;
  if (password.length < 6) return { score: 0, words: 'Too short: at least 6 characters' };
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  const repeats = new Set(password).size < password.length / 3;
  const score = Math.max(
    1,
    Math.min(4, Number(password.length >= 8) + Number(password.length >= 14) + kinds - 1 - Number(repeats)),
  );
  return { score, words: ['', 'Easy to guess', 'Could be longer', 'Good', 'Strong'][score] ?? 'Strong' };
};
