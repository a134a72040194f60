import type { CommandDeps } from '#command-api/deps.ts';
import { refundAnswer } from '#command-api/purchase/answers.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { DEFAULT_APPROVAL, refundCalls } from '#domain/contracts/refunds.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';
import type { App } from '#infra/http/server.ts';

export type RefundRouteDeps = Pick<CommandDeps, 'lane' | 'clock' | 'replies'>;

const commandFor = (approved: boolean | null, notes: string): RefundCommand => {
  if (approved === null) return { type: 'Reset' };
  return approved ? { type: 'Approve', notes: notes || DEFAULT_APPROVAL } : { type: 'Deny', reason: notes };
};

const MESSAGES = {
  true: 'Refund approved and processed',
  false: 'Refund denied',
  null: 'Refund status reset successfully',
};

/** Approving a refund, denying it, or putting it back to review. A job pays the money. */
export const refundRoutes = (app: App, deps: RefundRouteDeps): void => {
  const change = changesOn(app, deps);

  change(refundCalls.process, async ({ params: { id }, body }, { acting }) => {
    const { approved, notes } = body;
    const { state } = await acting.do(refund, id, commandFor(approved, notes?.trim() ?? ''));
    return { message: MESSAGES[`${approved}`], refund: await refundAnswer(deps, state) };
  });
};
