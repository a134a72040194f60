import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { cancelBooking, REASON_LOST } from '#command-api/purchase/cancel.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { reinstateBooking } from '#command-api/purchase/reinstate.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { booking } from '#domain/booking/booking.ts';
import { changeByHand } from '#domain/booking/by-hand.ts';
import { adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import type { Rejection } from '#domain/kernel/decider.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import { listing } from '#domain/listing/listing.ts';
import { isOver } from '#domain/listing/state.ts';
import type { App } from '#infra/http/server.ts';

const REFUNDED = { message: 'It was paid back once, which is final, even if the money came back since.' };
const MOVING = { message: 'Its cancellation is not complete yet. Please try again in a moment.' };

const demandDone = (rest: 'done' | 'stuck' | Rejection): void => {
  if (rest === 'done') return;
  if (rest === 'stuck') throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
  // A reinstatement waits for the cancellation that it undoes.
  const moving = rest.rejected === 'REFUND_NOT_FOUND' || rest.rejected === 'CONFLICT';
  throw moving ? new Refusal('CONFLICT', {}, MOVING) : refusalOf(rest);
};

const find = async (id: number, acting: ActingHandler) => {
  const { state } = await acting.state(booking, id);
  if (!state.facts) throw new Refusal('BOOKING_NOT_FOUND');
  const { state: customer } = await acting.state(account, state.facts.userId);
  if (customer.erased) throw new Refusal('ERASED');
  return { ...state, facts: state.facts };
};

export const adminBookingRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'clock' | 'replies'> & { readonly purchases: Purchases },
): void => {
  const { clock, purchases } = deps;
  const change = changesOn(app, deps);

  change(adminBookingCalls.edit, async ({ params: { id }, body }, { acting }) => {
    const { status, facts } = await find(id, acting);
    const { schedule } = (await acting.state(listing, facts.listingId)).state;
    const meant = changeByHand(status, body.status, schedule !== null && isOver(schedule, clock()));
    if (typeof meant === 'object')
      throw status === 'refunded' ? new Refusal('STATUS_FIXED', {}, REFUNDED) : refusalOf(meant);
    if (meant === 'nothing') return { message: `This booking is ${status} already.` };
    if (meant === 'reinstate') {
      demandDone(await reinstateBooking(purchases, id, acting));
      return { message: 'The booking stands again. Its tickets are on their way by email.' };
    }
    const asked = { bookingId: id, by: 'admin', reason: REASON_LOST.admin } as const;
    demandDone((await cancelBooking(purchases, asked, acting)).rest);
    const { total } = facts.quote;
    const money = total > 0 ? `A refund of ${toPounds(total)} awaits review.` : 'It was free.';
    return { message: `The booking is cancelled. ${money}` };
  });

  change(adminBookingCalls.reissue, async ({ params: { id } }, { acting }) => {
    const { epoch } = await find(id, acting);
    await acting.do(booking, id, { type: 'ReissueTicket', epoch: epoch + 1 });
    return { message: 'Older codes no longer admit. The new ticket is on its way by email.' };
  });

  change(adminBookingCalls.addNote, async ({ params: { id }, body: { note } }, { acting }) => {
    await find(id, acting);
    await acting.do(booking, id, { type: 'AddNote', note });
    return { message: 'Note added' };
  });
};
