import type { CommandDeps } from '#command-api/deps/deps.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

/** Milliseconds. */
const RECENT = 10 * 60_000;

interface Asking {
  readonly accountId: string;
  readonly signedInAt: Date;
}

export const wrongPassword = (field: string, message = 'That is not your password'): Refusal =>
  new Refusal('WRONG_PASSWORD', { fields: { [field]: message } }, { message });

/**
 * Against an unattended browser: the password or, without one, a recent sign-in.
 * @throws Refusal WRONG_PASSWORD, SIGN_IN_AGAIN, TOO_MANY
 */
export const confirmOwner = async (
  { credentials, limits, clock }: Pick<CommandDeps, 'credentials' | 'limits' | 'clock'>,
  { accountId, signedInAt }: Asking,
  password: string | undefined,
  field = 'password',
): Promise<void> => {
  if (!(await credentials.waysOf(accountId)).includes('password')) {
    if (clock().getTime() - signedInAt.getTime() > RECENT) throw new Refusal('SIGN_IN_AGAIN');
    return;
  }
  if (!password) throw wrongPassword(field, 'Please enter your password');
  await limits.take('password-again', accountId);
  if (!(await credentials.verifyPassword(accountId, password))) throw wrongPassword(field);
  await limits.forgive('password-again', accountId);
};
