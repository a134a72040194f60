import type { EventOf } from '#domain/kernel/event.ts';
import { defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { toPounds } from '#domain/kernel/money.ts';

export type DisputeOutcome = 'won' | 'lost';

export interface DisputeFacts {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly intentId: string;
  readonly disputeId: string;
  /** In pence. */
  readonly amount: number;
  /** The provider's code: `fraudulent`. */
  readonly reason: string;
  /** ISO instant; null if the provider takes no evidence. */
  readonly dueBy: string | null;
  /** ISO instant. */
  readonly openedAt: string;
}

export const disputeEvents = {
  /** If the bank takes the money after an `inquiry`, the dispute is opened again without it. */
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
