/** The rules of a new password at a reset, as the page lists them. */
export const passwordRules: readonly { readonly rule: string; holds(password: string): boolean }[] = [
  { rule: 'Password must be at least 8 characters', holds: (password) => password.length >= 8 },
  { rule: 'Password must contain an uppercase letter', holds: (password) => /\p{Lu}/u.test(password) },
  { rule: 'Password must contain a lowercase letter', holds: (password) => /\p{Ll}/u.test(password) },
  { rule: 'Password must contain a digit', holds: (password) => /\p{Nd}/u.test(password) },
  {
    rule: 'Password must contain a special character',
    holds: (password) => /[^\p{L}\p{N}\s]/u.test(password),
  },
];

/** The rules that a new password breaks, as sentences: the `errors` of a refused reset. Empty: it is fine. */
export const passwordProblems = (password: string): readonly string[] =>
  passwordRules.filter(({ holds }) => !holds(password)).map(({ rule }) => rule);

/** A hint at registration, where only six characters are demanded. */
export const passwordStrength = (password: string): 'too short' | 'weak' | 'fair' | 'strong' => {
  if (password.length < 6) return 'too short';
  const kept = passwordRules.length - passwordProblems(password).length;
  if (kept === passwordRules.length && password.length >= 12) return 'strong';
  return kept >= 4 || password.length >= 16 ? 'fair' : 'weak';
};
