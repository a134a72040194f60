import type { CommandDeps } from '#command-api/deps/deps.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

/** For how long after signing in somebody without a password counts as confirmed, in milliseconds. */
const RECENT = 10 * 60_000;

/** The session that asks. */
interface Asking {
  readonly accountId: string;
  readonly signedInAt: Date;
}

/** The refusal of a password that is not the account's, at its field in the form. */
export const wrongPassword = (field: string, message = 'That is not your password'): Refusal =>
  new Refusal('WRONG_PASSWORD', { fields: { [field]: message } }, { message });

/**
 * Makes sure that it is the owner who asks, not somebody at their open browser: by their password or, for an account without one,
 * by a recent sign-in. `field` is the name of the password's field in the form.
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
