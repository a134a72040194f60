/** The mails with a secret link. The outbox holds the token until the mail is sent; the database keeps only its hash. */
import type { CommandDeps } from '#command-api/deps/deps.ts';

type Deps = Pick<CommandDeps, 'mailTokens' | 'outbox' | 'ids'>;

/** Sends the link that verifies an account's address. */
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

/** Sends the link with which a new password can be set. Links that were sent before stop working. */
export const sendReset = async ({ mailTokens, outbox, ids }: Deps, accountId: string): Promise<void> => {
  const token = await mailTokens.issue('reset', accountId);
  await outbox.enqueue({
    kind: 'reset-password',
    accountId,
    data: { token },
    key: `reset-password ${ids.uuid()}`,
  });
};
