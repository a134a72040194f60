import type { EventOf } from '#domain/kernel/event.ts';
import { defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { toPounds } from '#domain/kernel/money.ts';

/** How a bank decided a dispute: for us, or for the card's holder, who then keeps the money. */
export type DisputeOutcome = 'won' | 'lost';

/** A dispute: the card's holder told their bank that a payment was wrong, and the bank holds the money back. */
export interface DisputeFacts {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly intentId: string;
  /** The provider's id. */
  readonly disputeId: string;
  /** In pence. */
  readonly amount: number;
  /** The provider's word for it: `fraudulent`. */
  readonly reason: string;
  /** Until when the provider takes evidence, an ISO instant; null if it takes none. */
  readonly dueBy: string | null;
  /** An ISO instant. */
  readonly openedAt: string;
}

/** The events of `dispute-{bookingId}`. */
export const disputeEvents = {
  /** With `inquiry` the bank only asks, and has taken no money. If it takes it after all, the dispute is opened again, without that. */
  DisputeOpened: defineBookingEvent<DisputeFacts & { readonly inquiry?: true }>()({
    audit: null,
    history: ({ amount, inquiry }) =>
      entry(
        'disputed',
        `Payment of ${toPounds(amount)} disputed`,
        inquiry
          ? 'The card’s bank has asked us about it.'
          : 'The card’s bank holds it back until that is settled.',
        'the card’s bank',
      ),
    work: false,
  }),
  DisputeClosed: defineBookingEvent<{ bookingId: number; disputeId: string; outcome: DisputeOutcome }>()({
    audit: null,
    history: ({ outcome }) =>
      entry(
        'disputed',
        outcome === 'won' ? 'Dispute settled: the payment stands' : 'Dispute settled: the payment went back',
        null,
        'the card’s bank',
      ),
    work: false,
  }),
};
export type DisputeEvent = EventOf<typeof disputeEvents>;
