/**
 * The 10,000 most common passwords, from `@zxcvbn-ts/language-common` (MIT licence), which orders them by how often they were found
 * in leaks.
 */
import { dictionary } from '@zxcvbn-ts/language-common';

const MOST_COMMON = 10_000;
const common: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].slice(0, MOST_COMMON).map((word) => String(word).toLowerCase()),
);

/** Whether a password is one of the most common, in upper or lower case. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
