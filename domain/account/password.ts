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

export const COMMON_PASSWORD = 'Password is one of the most common: please choose another';

export const passwordProblems = (password: string): readonly string[] =>
  passwordRules.filter(({ holds }) => !holds(password)).map(({ rule }) => rule);
