import type { CommandDeps } from '#command-api/deps/deps.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isAppCode } from '#infra/identity/second-factors.ts';

const wrongCode = (): Refusal => {
  const message = 'That code is wrong, or was used before';
  return new Refusal('WRONG_CODE', { fields: { code: message } }, { message });
};

/**
 * Counts the attempt before `check`, so that parallel ones count too.
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

/** Wrong codes per day before the owner is warned: they come from someone with the password. */
const TELL_AFTER = 5;
const SPENT =
  'Too many wrong codes today. A recovery code still works, and so does a code after “Forgot password?”.';

const countCode = async ({ limits }: Pick<CommandDeps, 'limits'>, accountId: string): Promise<number> => {
  try {
    return await limits.take('second-factor-day', accountId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('TOO_MANY', {}, { message: SPENT, retryAfter: error.retryAfter });
  }
};

/**
 * An app's code or a recovery code. Call only after the password was checked.
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

export const forgiveWrongCodes = (
  { limits }: Pick<CommandDeps, 'limits'>,
  accountId: string,
): Promise<void> => limits.forgive('second-factor-day', accountId);
