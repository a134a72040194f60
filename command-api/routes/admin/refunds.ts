import type { CommandDeps } from '#command-api/deps.ts';
import { refundAnswer } from '#command-api/purchase/answers.ts';
import { booking } from '#domain/booking/booking.ts';
import {
  DEFAULT_APPROVAL,
  type ProcessedRefund,
  processRefundRequest,
  refundParams,
} from '#domain/contracts/refunds.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';
import { Refusal } from '#domain/refusal.ts';
import { contextOf } from '#infra/http/context.ts';
import type { App } from '#infra/http/server.ts';

export type RefundRouteDeps = Pick<CommandDeps, 'lane' | 'clock'>;

const commandFor = (approved: boolean | null, notes: string): RefundCommand => {
  if (approved === null) return { type: 'Reset' };
  return approved ? { type: 'Approve', notes: notes || DEFAULT_APPROVAL } : { type: 'Deny', reason: notes };
};

const MESSAGES = {
  true: 'Refund approved and processed',
  false: 'Refund denied',
  null: 'Refund status reset successfully',
};

const STANDS = { message: 'This booking stands, so there is nothing to pay back.' };

/** `POST /api/admin/refunds/{id}/process`: approve, deny, or back to review. The money itself is a job's. */
export const refundRoutes = (app: App, deps: RefundRouteDeps): void => {
  app.post(
    '/api/admin/refunds/:id/process',
    { config: { capability: 'administer' }, schema: { params: refundParams, body: processRefundRequest } },
    async (request, reply): Promise<ProcessedRefund> => {
      const { id } = request.params;
      const { approved, notes } = request.body;
      const command = commandFor(approved, notes?.trim() ?? '');
      const { state: booked } = await deps.lane.state(booking, id);
      // Its tickets are good again, so its money stays here whatever became of an older cancellation's refund.
      if (approved !== false && booked.status === 'confirmed') throw new Refusal('CONFLICT', {}, STANDS);
      const acting = deps.lane.as(contextOf(request, deps.clock));
      const { state, position } = await acting.do(refund, id, command);
      reply.position(position);
      return { message: MESSAGES[`${approved}`], refund: await refundAnswer(deps, state) };
    },
  );
};
