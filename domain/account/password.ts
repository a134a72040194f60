/** The rules of a new password at a reset. `rule` is the sentence for an error, `short` the line that the page lists. */
export const passwordRules: readonly {
  readonly rule: string;
  readonly short: string;
  holds(password: string): boolean;
}[] = [
  {
    rule: 'Password must be at least 8 characters',
    short: '8 or more characters',
    holds: (password) => password.length >= 8,
  },
  {
    rule: 'Password must contain an uppercase letter',
    short: 'An uppercase letter',
    holds: (password) => /\p{Lu}/u.test(password),
  },
  {
    rule: 'Password must contain a lowercase letter',
    short: 'A lowercase letter',
    holds: (password) => /\p{Ll}/u.test(password),
  },
  {
    rule: 'Password must contain a digit',
    short: 'A digit',
    holds: (password) => /\p{Nd}/u.test(password),
  },
  {
    rule: 'Password must contain a special character',
    short: 'A special character',
    holds: (password) => /[^\p{L}\p{N}\s]/u.test(password),
  },
];

/** The sentence for a password that is too common. The list of such passwords is the server's (`infra/identity/common-passwords.ts`). */
export const COMMON_PASSWORD = 'Password is one of the most common: please choose another';

/** The rules that a new password breaks, as the `errors` of a refused reset; none for a good password. */
export const passwordProblems = (password: string): readonly string[] =>
  passwordRules.filter(({ holds }) => !holds(password)).map(({ rule }) => rule);
