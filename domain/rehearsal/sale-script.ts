import type { BookingEvent } from '#domain/booking/events.ts';
import type { CheckoutEvent, Quote } from '#domain/checkout/events.ts';
import type { InventoryEvent, ReleaseReason } from '#domain/inventory/events.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets, type InventoryState } from '#domain/inventory/state.ts';
import type { Pence } from '#domain/kernel/money.ts';
import type { Discount } from '#domain/promotion/discount.ts';
import type { PromotionEvent } from '#domain/promotion/events.ts';
import { inOrder, type Past, type Span } from './past.ts';
import { type SaleFigures, SaleTally } from './sale-tally.ts';

/** The events that a sale's script is made from: of a listing's inventory, of the checkouts and bookings there, of their promotions. */
export type SaleEvent = BookingEvent | CheckoutEvent | InventoryEvent | PromotionEvent;

/** Somebody who asked for tickets. */
export interface Asker {
  readonly attempt: string;
  readonly bookingId: number;
  readonly userId: string;
  readonly quote: Quote;
  /** What their code took off; null without a code, and where its terms are not in the log. */
  readonly discount: Discount | null;
  /** When their hold was to end, and how long it was to last, in milliseconds. */
  readonly until: number;
  readonly hold: number;
}

/**
 * Why something was refused in fact, and how many tickets were free then. With no more free ones it is refused again: the log keeps no
 * place for a refusal, so that a ticket may have come back between it and the event that tells of it.
 */
export interface Refused {
  readonly why: 'soldOut' | 'otherwise';
  readonly free: number;
}

/** What somebody did at a moment (`at`, in milliseconds since the epoch). */
export type SaleStep = { readonly at: number } & (
  | { readonly do: 'ask'; readonly attempt: string; readonly refused: Refused | null }
  | {
      readonly do: 'pay';
      readonly attempt: string;
      readonly refused: Refused | null;
      /** They pay only if they hold their tickets. */
      readonly ifHeld?: true;
    }
  | {
      readonly do: 'let-go';
      readonly attempt: string;
      readonly why: ReleaseReason;
      /** The instant in the release, from which on late holds are refused. */
      readonly moment: number;
    }
  | { readonly do: 'return'; readonly bookingId: number; readonly cancellation: number }
  | {
      readonly do: 'retake';
      readonly bookingId: number;
      readonly userId: string;
      readonly quantity: number;
      readonly cancellation: number;
      /** The booking had never had tickets. */
      readonly unfilled: boolean;
    }
  | { readonly do: 'change-capacity'; readonly capacity: number }
  | { readonly do: 'close'; readonly why: 'archived' | 'started' }
);

/** What happened in a sale, so that it can be played again. */
export interface SaleScript {
  readonly listingId: number;
  readonly capacity: number;
  readonly askers: ReadonlyMap<string, Asker>;
  readonly steps: readonly SaleStep[];
  /** What a booking's cancellation gave back, in percent and in pence. */
  readonly given: ReadonlyMap<number, { readonly percent: number; readonly refund: Pence }>;
  /** After how long the middle buyer paid, in milliseconds. */
  readonly patience: number;
  readonly span: Span;
  readonly inFact: SaleFigures;
}

const REFUSED: Readonly<Record<string, Refused['why']>> = { sold_out: 'soldOut', sales_closed: 'otherwise' };

const middleOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Makes the script of a sale from its events in the log's order; undefined without an inventory. */
export const saleScript = (past: readonly Past<SaleEvent>[]): SaleScript | undefined => {
  const opened = past.find(({ event }) => event.type === 'InventoryOpened')?.event;
  if (opened?.type !== 'InventoryOpened') return undefined;
  const timed = inOrder(past).filter(({ event }) => event.type !== 'InventoryOpened');

  const askers = new Map<string, Asker>();
  const openedAt = new Map<string, number>();
  const discounts = new Map<number, Discount>();
  const given = new Map<number, { readonly percent: number; readonly refund: Pence }>();
  for (const { event } of timed)
    if (event.type === 'BookingCancelled') {
      const { bookingId, percent, refund } = event.data;
      given.set(bookingId, { percent, refund });
    }

  const moments = timed.filter(
    ({ event }) => event.type === 'CheckoutOpened' || event.type === 'TicketsSold',
  );
  const span = { from: moments[0]?.at ?? 0, to: moments.at(-1)?.at ?? 0 };
  const prices = {
    cost: (attempt: string) => askers.get(attempt)?.quote.total ?? 0,
    back: (bookingId: number) => given.get(bookingId)?.refund ?? 0,
  };
  const tally = new SaleTally(prices, span);
  const steps: SaleStep[] = [];
  const waits: number[] = [];
  let state: InventoryState = inventory.evolve(inventory.initial, opened, '');

  const refuse = (step: 'ask' | 'pay', attempt: string, why: string, at: number): void => {
    const refused = { why: REFUSED[why] ?? 'otherwise', free: freeTickets(state) } as const;
    tally.refused(refused.why);
    steps.push({ do: step, at, attempt, refused });
  };

  for (const { event, at } of timed) {
    switch (event.type) {
      case 'PromotionCreated':
      case 'PromotionEdited':
        discounts.set(event.data.promotionId, event.data);
        break;
      case 'CheckoutOpened': {
        const { attempt, bookingId, userId, quote } = event.data;
        const until = Date.parse(event.data.until);
        const discount = discounts.get(quote.promotion?.promotionId ?? 0) ?? null;
        askers.set(attempt, { attempt, bookingId, userId, quote, discount, until, hold: until - at });
        openedAt.set(attempt, at);
        break;
      }
      case 'CheckoutClosing': {
        const { attempt, why } = event.data;
        if (!(why in REFUSED) || !askers.has(attempt)) break;
        tally.asked(at);
        refuse('ask', attempt, why, at);
        break;
      }
      case 'CheckoutUnfilled':
        if (askers.has(event.data.attempt)) refuse('pay', event.data.attempt, event.data.why, at);
        break;
      case 'InventoryOpened':
      case 'CapacityChanged':
      case 'TicketsHeld':
      case 'HoldReleased':
      case 'TicketsSold':
      case 'TicketsReturned':
      case 'TicketsRetaken':
      case 'RetakeGivenUp':
      case 'SalesClosed': {
        if (event.type === 'TicketsHeld') tally.asked(at);
        if (event.type === 'TicketsSold') waits.push(at - (openedAt.get(event.data.attempt) ?? at));
        const step = stepOf(event, at, state);
        if (step) steps.push(step);
        state = inventory.evolve(state, event, '');
        tally.happened(event, state, at);
        break;
      }
      default:
    }
  }
  return {
    ...{ listingId: opened.data.listingId, capacity: opened.data.capacity },
    ...{ askers, steps, given, span },
    patience: middleOf(waits),
    inFact: tally.figures(state),
  };
};

/** What brought an event of the inventory about. */
const stepOf = (event: InventoryEvent, at: number, before: InventoryState): SaleStep | undefined => {
  switch (event.type) {
    case 'TicketsHeld':
      return { do: 'ask', at, attempt: event.data.attempt, refused: null };
    case 'TicketsSold':
      return { do: 'pay', at, attempt: event.data.attempt, refused: null };
    case 'HoldReleased': {
      const { attempt, why, at: moment } = event.data;
      return { do: 'let-go', at, attempt, why, moment: Date.parse(moment) };
    }
    case 'TicketsReturned': {
      const { bookingId } = event.data;
      const cancellation = (before.sales.get(bookingId)?.returned ?? 0) + 1;
      return { do: 'return', at, bookingId, cancellation };
    }
    case 'TicketsRetaken': {
      const { bookingId, userId, quantity } = event.data;
      const sale = before.sales.get(bookingId);
      const retaken = { bookingId, userId, quantity, cancellation: sale?.returned ?? 1 };
      return { do: 'retake', at, ...retaken, unfilled: !sale };
    }
    case 'CapacityChanged':
      return { do: 'change-capacity', at, capacity: event.data.capacity };
    case 'SalesClosed':
      return { do: 'close', at, why: event.data.why };
    case 'InventoryOpened':
    case 'RetakeGivenUp':
      return undefined;
  }
};
