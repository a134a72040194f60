import type { CommandDeps } from '#command-api/deps/deps.ts';
import { refundAnswer } from '#command-api/purchase/answers.ts';
import { approveRefund } from '#command-api/purchase/refunds.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { refund } from '#domain/refund/refund.ts';
import type { App } from '#infra/http/server.ts';

export type RefundRouteDeps = Pick<CommandDeps, 'handler' | 'clock' | 'replies'>;

const MESSAGES = {
  true: 'Refund approved and processed',
  false: 'Refund denied',
  null: 'Refund status reset successfully',
};

export const refundRoutes = (app: App, deps: RefundRouteDeps): void => {
  const change = changesOn(app, deps);

  change(refundCalls.process, async ({ params: { id }, body }, { acting }) => {
    const { approved, notes, status } = body;
    const words = notes?.trim() ?? '';
    const state = approved
      ? await approveRefund(id, { notes: words, status }, acting)
      : (
          await acting.do(
            refund,
            id,
            approved === null ? { type: 'Reset', status } : { type: 'Deny', reason: words, status },
          )
        ).state;
    return { message: MESSAGES[`${approved}`], refund: await refundAnswer(deps, state) };
  });
};
