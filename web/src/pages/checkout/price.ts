import { fromDecimal, type Pence, toDecimal } from '#domain/money.ts';
import { MOST_TICKETS_A_BOOKING } from '#domain/policy.ts';

/** What the checkout shows until the server has priced it: price times quantity minus discount, never below 0. */
export const totalOf = (price: string, quantity: number, discount: string): string =>
  toDecimal(Math.max(0, subtotalOf(price, quantity) - pence(discount)));

/** In pence, before the discount. */
export const subtotalOf = (price: string, quantity: number): Pence => pence(price) * quantity;

const pence = (amount: string): Pence => fromDecimal(amount) ?? 0;

/** The most that may be bought: ten, or what is left; one's own held tickets count as left. */
export const mostOf = (availableTickets: number, held: number): number =>
  Math.max(1, Math.min(MOST_TICKETS_A_BOOKING, Math.max(0, availableTickets) + held));
