import { fromDecimal, type Pence, toDecimal } from '#domain/kernel/money.ts';
import { MOST_TICKETS_A_BOOKING } from '#domain/kernel/policy.ts';

/** Decimal shown until the server prices the checkout: price × quantity − discount, at least 0. */
export const totalOf = (price: string, quantity: number, discount: string): string =>
  toDecimal(Math.max(0, subtotalOf(price, quantity) - pence(discount)));

/** In pence, before discount. */
export const subtotalOf = (price: string, quantity: number): Pence => pence(price) * quantity;

const pence = (amount: string): Pence => fromDecimal(amount) ?? 0;

/** At most ten, limited by availability. The user's own held tickets count as available. */
export const mostOf = (availableTickets: number, held: number): number =>
  Math.max(1, Math.min(MOST_TICKETS_A_BOOKING, Math.max(0, availableTickets) + held));
