import type { CommandDeps } from '#command-api/deps.ts';
import { Refusal } from '#domain/refusal.ts';

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
