import { dictionary } from '@zxcvbn-ts/language-common';

const MOST_COMMON = 10_000;
const common: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].slice(0, MOST_COMMON).map((word) => String(word).toLowerCase()),
);

export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
