import type { CommandDeps } from '#command-api/deps/deps.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isAppCode } from '#infra/identity/second-factors.ts';

const wrongCode = (): Refusal => {
  const message = 'That code is wrong, or was used before';
  return new Refusal('WRONG_CODE', { fields: { code: message } }, { message });
};

/**
 * Checks a code of an account by `check`, which answers whether it is right. Tries are counted before, so that parallel ones are
 * counted too.
 * @throws Refusal WRONG_CODE, TOO_MANY
 */
export const demandCode = async (
  { limits }: Pick<CommandDeps, 'limits'>,
  accountId: string,
  check: () => Promise<boolean>,
): Promise<void> => {
  await limits.take('second-factor', accountId);
  if (!(await check())) throw wrongCode();
  await limits.forgive('second-factor', accountId);
};

/** After how many wrong codes in a day the owner is told: whoever is asked for one knows the password already. */
const TELL_AFTER = 5;
const SPENT =
  'Too many wrong codes today. A recovery code still works, and so does a code after “Forgot password?”.';

/** Counts a code of the app. @returns how many wrong ones of this day it would make */
const countCode = async ({ limits }: Pick<CommandDeps, 'limits'>, accountId: string): Promise<number> => {
  try {
    return await limits.take('second-factor-day', accountId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('TOO_MANY', {}, { message: SPENT, retryAfter: error.retryAfter });
  }
};

/**
 * Demands a code of the account's second factor, or one of its recovery codes, from somebody who knows the password.
 * @throws Refusal WRONG_CODE, TOO_MANY
 */
export const demandSecondFactor = (
  deps: Pick<CommandDeps, 'limits' | 'secondFactors' | 'outbox' | 'clock'>,
  accountId: string,
  code: string,
): Promise<void> => {
  const { limits, secondFactors, outbox, clock } = deps;
  return demandCode(deps, accountId, async () => {
    const tries = isAppCode(code) ? await countCode(deps, accountId) : 0;
    const right = await secondFactors.take(accountId, code);
    if (right && tries > 0) await limits.giveBack('second-factor-day', accountId);
    if (!right && tries === TELL_AFTER) {
      const key = `wrong-codes:${accountId}:${clock().toISOString().slice(0, 10)}`;
      await outbox.enqueue({ kind: 'wrong-codes', accountId, data: {}, key });
    }
    return right;
  });
};

/** Forgets the wrong codes of a day, since whoever tried them doesn't know the new password. */
export const forgiveWrongCodes = (
  { limits }: Pick<CommandDeps, 'limits'>,
  accountId: string,
): Promise<void> => limits.forgive('second-factor-day', accountId);
