import { COMMON_PASSWORD } from '#domain/account/password.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isCommonPassword } from '#infra/identity/common-passwords.ts';

export const demandGoodPassword = (password: string, broken: readonly string[]): void => {
  const errors = isCommonPassword(password) ? [...broken, COMMON_PASSWORD] : broken;
  const [first] = errors;
  if (first === undefined) return;
  const message = broken.length === 0 ? { message: COMMON_PASSWORD } : {};
  throw new Refusal('WEAK_PASSWORD', { errors, fields: { password: first } }, message);
};
