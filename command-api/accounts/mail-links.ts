/** The database keeps only the token's hash. */
import type { CommandDeps } from '#command-api/deps/deps.ts';

type Deps = Pick<CommandDeps, 'mailTokens' | 'outbox' | 'ids'>;

export const sendVerification = async (
  { mailTokens, outbox, ids }: Deps,
  accountId: string,
): Promise<void> => {
  const token = await mailTokens.issue('verify', accountId);
  await outbox.enqueue({
    kind: 'verify-email',
    accountId,
    data: { token },
    key: `verify-email ${ids.uuid()}`,
  });
};

export const sendReset = async ({ mailTokens, outbox, ids }: Deps, accountId: string): Promise<void> => {
  const token = await mailTokens.issue('reset', accountId);
  await outbox.enqueue({
    kind: 'reset-password',
    accountId,
    data: { token },
    key: `reset-password ${ids.uuid()}`,
  });
};
