import type { CommandDeps } from '#command-api/deps.ts';
import { account } from '#domain/account/account.ts';
import { booking } from '#domain/booking/booking.ts';
import {
  type AdminRefund,
  DEFAULT_APPROVAL,
  type ProcessedRefund,
  processRefundRequest,
  refundParams,
} from '#domain/contracts/refunds.ts';
import { listing } from '#domain/listing/listing.ts';
import { toDecimal } from '#domain/money.ts';
import { isErased, orElse } from '#domain/personal.ts';
import type { RefundEvent } from '#domain/refund/events.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';
import { adminStatus, type RefundState } from '#domain/refund/state.ts';
import { Refusal } from '#domain/refusal.ts';
import { contextOf } from '#infra/http/context.ts';
import type { App } from '#infra/http/server.ts';

export type RefundRouteDeps = Pick<CommandDeps, 'lane' | 'log' | 'codec' | 'clock'>;

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

/** What a refund's stream tells beside its state: the customer's words, the decision's, and when it was asked for. */
const history = async ({ log, codec }: RefundRouteDeps, bookingId: number) => {
  const told: { reason: string | null; decision: string | null; createdAt: string } = {
    reason: null,
    decision: null,
    createdAt: '',
  };
  const records = await Array.fromAsync(log.readStream(`refund-${bookingId}`));
  for (const { event, meta } of await codec.decode<RefundEvent>(records)) {
    if (event.type === 'RefundRequested') {
      told.reason = orElse(event.data.reason, null);
      told.createdAt = meta.at;
      told.decision = null;
    }
    if (event.type === 'RefundApproved') told.decision = orElse(event.data.notes, null) || null;
    if (event.type === 'RefundDenied') told.decision = orElse(event.data.reason, null);
    if (event.type === 'RefundReset') told.decision = null;
  }
  return told;
};

const toAdminRefund = async (
  deps: RefundRouteDeps,
  bookingId: number,
  state: RefundState,
): Promise<AdminRefund> => {
  const { lane } = deps;
  const { phase } = state;
  if (phase === 'none') throw new Refusal('REFUND_NOT_FOUND');
  const [{ state: booked }, { state: person }, told] = await Promise.all([
    lane.state(booking, bookingId),
    lane.state(account, state.userId ?? ''),
    history(deps, bookingId),
  ]);
  const listingId = booked.facts?.listingId ?? 0;
  const { state: listed } = await lane.state(listing, listingId);
  return {
    id: bookingId,
    bookingId,
    bookingReference: booked.facts?.reference ?? '',
    userId: state.userId ?? '',
    userEmail: isErased(person.email) ? null : person.email,
    eventId: listingId,
    eventTitle: listed.details?.title ?? null,
    refundAmount: toDecimal(state.amount),
    paidAmount: toDecimal(state.paid),
    refundReason: told.reason,
    ...adminStatus(phase),
    processingType: state.processingType ?? 'manual',
    decision: told.decision,
    createdAt: told.createdAt,
  };
};

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
      return { message: MESSAGES[`${approved}`], refund: await toAdminRefund(deps, id, state) };
    },
  );
};
