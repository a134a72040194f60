import type { Unfilled } from '#domain/checkout/events.ts';
import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import { SHORTEST_CANCELLATION_REASON } from '#domain/kernel/policy.ts';
import type { BookingEvent, BookingFacts } from './events.ts';
import { type CancellationRequest, cancellationQuote } from './quote.ts';
import { type BookingState, evolve, initial } from './state.ts';

/** `cancellation` counts the booking's cancellations from 1, so that a late repeat of an older one does nothing. */
export type BookingCommand =
  | ({ readonly type: 'PlaceBooking' } & BookingFacts)
  | ({ readonly type: 'PlaceUnfilled'; readonly why: Unfilled } & BookingFacts)
  | ({
      readonly type: 'CancelBooking';
      readonly cancellation: number;
      /** At least 10 characters from a customer. */
      readonly reason: string;
      /** Must own the booking (BOOKING_NOT_FOUND). */
      readonly userId?: string;
    } & CancellationRequest)
  | { readonly type: 'Reinstate'; readonly cancellation: number }
  | { readonly type: 'MarkRefunded'; readonly amount: number }
  | { readonly type: 'ReissueTicket'; readonly epoch: number }
  | { readonly type: 'AddNote'; readonly note: string };

type Command<Type extends BookingCommand['type']> = Extract<BookingCommand, { type: Type }>;

/**
 * Placed and unfilled exclude each other (CONFLICT); refunded is final (REFUND_SETTLED). Cancelling refuses
 * with BAD_INPUT, EVENT_STARTED, ALREADY_SCANNED, BOOKING_NOT_FOUND.
 */
const decide = (state: BookingState, command: BookingCommand): Decision<BookingEvent> => {
  if (command.type === 'PlaceBooking') {
    const { type: _, ...data } = command;
    if (state.facts) return state.unfilled ? reject('CONFLICT') : [];
    return [{ type: 'BookingPlaced', data }];
  }
  if (command.type === 'PlaceUnfilled') {
    const { type: _, ...data } = command;
    if (state.facts) return state.unfilled ? [] : reject('CONFLICT');
    return [{ type: 'BookingUnfilled', data }];
  }
  const { facts } = state;
  if (!facts) return reject('BOOKING_NOT_FOUND');
  switch (command.type) {
    case 'CancelBooking':
      return cancel(state, facts, command);
    case 'Reinstate':
      return reinstate(state, facts, command);
    case 'MarkRefunded':
      return markRefunded(state, facts, command);
    case 'ReissueTicket':
      return reissue(state, facts, command);
    case 'AddNote': {
      const { bookingId, userId, listingId } = facts;
      return [{ type: 'BookingNoted', data: { bookingId, userId, listingId, note: command.note } }];
    }
  }
};

const cancel = (
  state: BookingState,
  { bookingId, userId, listingId, quote }: BookingFacts,
  command: Command<'CancelBooking'>,
): Decision<BookingEvent> => {
  if (command.userId !== undefined && command.userId !== userId) return reject('BOOKING_NOT_FOUND');
  if (state.status !== 'confirmed' || command.cancellation <= state.cancellations) return [];
  const reason = command.reason.trim();
  if (command.by === 'customer' && [...reason].length < SHORTEST_CANCELLATION_REASON) {
    return reject('BAD_INPUT', {
      fields: { reason: 'Please provide a detailed reason (minimum 10 characters)' },
    });
  }
  const outcome = cancellationQuote(state, command);
  if (!outcome.allowed) return reject(outcome.why);
  const { percent, refund } = outcome;
  const data = {
    bookingId,
    userId,
    listingId,
    quantity: quote.quantity,
    by: command.by,
    reason,
    refund,
    percent,
  };
  return [{ type: 'BookingCancelled', data }];
};

const reinstate = (
  state: BookingState,
  { bookingId, userId, listingId, quote }: BookingFacts,
  { cancellation }: Command<'Reinstate'>,
): Decision<BookingEvent> => {
  // Ignore a late reinstatement after a newer cancellation.
  if (state.status === 'confirmed' || cancellation < state.cancellations) return [];
  if (state.status === 'refunded') return reject('REFUND_SETTLED');
  return [{ type: 'BookingReinstated', data: { bookingId, userId, listingId, quantity: quote.quantity } }];
};

const markRefunded = (
  state: BookingState,
  { bookingId, userId, listingId, quote }: BookingFacts,
  { amount }: Command<'MarkRefunded'>,
): Decision<BookingEvent> => {
  if (state.status === 'refunded') return [];
  if (state.status === 'confirmed') return reject('CONFLICT');
  if (amount > quote.total) return reject('REFUND_TOO_LARGE');
  return [{ type: 'BookingRefunded', data: { bookingId, userId, listingId, amount } }];
};

const reissue = (
  state: BookingState,
  { bookingId, userId, listingId }: BookingFacts,
  { epoch }: Command<'ReissueTicket'>,
): Decision<BookingEvent> => {
  if (epoch <= state.epoch) return [];
  if (state.status !== 'confirmed') return reject('TICKET_CANCELLED');
  return [{ type: 'TicketReissued', data: { bookingId, userId, listingId, epoch } }];
};

export const booking: Aggregate<BookingState, BookingCommand, BookingEvent> = {
  name: 'booking',
  names: ({ facts }) => facts?.userId ?? null,
  initial,
  evolve,
  decide,
};
