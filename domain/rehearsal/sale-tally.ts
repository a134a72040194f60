import type { InventoryEvent } from '#domain/inventory/events.ts';
import { freeTickets, type InventoryState } from '#domain/inventory/state.ts';
import type { Pence } from '#domain/kernel/money.ts';
import { type BusiestMinute, Curve, Minutes, type Span } from './past.ts';

/** How a sale went, in fact or rehearsed. Amounts are in pence, instants are ISO. */
export interface SaleFigures {
  readonly capacity: number;
  /** Tickets that are out at the end. */
  readonly sold: number;
  /** Bookings that were made, with those that were cancelled later. */
  readonly bookings: number;
  /** What these bookings cost. */
  readonly takings: Pence;
  /** What went back for those that were cancelled. */
  readonly paidBack: Pence;
  /** How often tickets were asked or paid for in vain, since too few were left. */
  readonly soldOut: number;
  /** The same for another reason: sales had closed, or the price was too small to charge. */
  readonly otherwise: number;
  /** Holds that ended without a sale because their time was over. */
  readonly lapsed: number;
  /** The most tickets that were held at once. */
  readonly mostHeld: number;
  /** When the last free ticket went for the first time; null if one was always left. */
  readonly soldOutAt: string | null;
  /** The minute in which most people asked for tickets. */
  readonly busiest: BusiestMinute | null;
  /** The tickets that are out, over the time of the sale. */
  readonly curve: number[];
}

/** What a booking costs, and what its cancellations give back, in pence. */
export interface Prices {
  cost(attempt: string): Pence;
  back(bookingId: number): Pence;
}

/** Counts a sale by the events of its inventory, whether they are of the log or of the sandbox. */
export class SaleTally {
  readonly #prices: Prices;
  readonly #curve: Curve;
  readonly #minutes = new Minutes();
  #counts = { bookings: 0, takings: 0, paidBack: 0, soldOut: 0, otherwise: 0, lapsed: 0, mostHeld: 0 };
  #soldOutAt: number | null = null;
  #given = new Map<number, Pence>();

  constructor(prices: Prices, span: Span) {
    this.#prices = prices;
    this.#curve = new Curve(span);
  }

  /** Somebody asked for tickets. */
  asked(at: number): void {
    this.#minutes.add(at);
  }

  refused(why: 'soldOut' | 'otherwise'): void {
    this.#counts[why] += 1;
  }

  /** @param after the state with this event */
  happened(event: InventoryEvent, after: InventoryState, at: number): void {
    // That nothing is on sale yet is not sold out.
    if (event.type === 'InventoryOpened') return;
    const counts = this.#counts;
    if (event.type === 'TicketsSold') {
      counts.bookings += 1;
      counts.takings += this.#prices.cost(event.data.attempt);
    } else if (event.type === 'HoldReleased') {
      if (event.data.why === 'expired' && event.data.quantity > 0) counts.lapsed += 1;
    } else if (event.type === 'TicketsReturned') {
      const back = this.#prices.back(event.data.bookingId);
      this.#given.set(event.data.bookingId, back);
      counts.paidBack += back;
    } else if (event.type === 'TicketsRetaken') {
      counts.paidBack -= this.#given.get(event.data.bookingId) ?? 0;
      this.#given.delete(event.data.bookingId);
    }
    counts.mostHeld = Math.max(counts.mostHeld, after.held);
    if (freeTickets(after) <= 0) this.#soldOutAt ??= at;
    this.#curve.set(at, after.sold);
  }

  figures({ capacity, sold }: InventoryState): SaleFigures {
    return {
      ...{ capacity, sold, ...this.#counts },
      soldOutAt: this.#soldOutAt === null ? null : new Date(this.#soldOutAt).toISOString(),
      busiest: this.#minutes.busiest,
      curve: this.#curve.points,
    };
  }
}
