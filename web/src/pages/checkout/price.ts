import { fromDecimal, type Pence, toDecimal } from '#domain/kernel/money.ts';
import { MOST_TICKETS_A_BOOKING } from '#domain/kernel/policy.ts';

/** The total as a decimal, shown until the server has priced the checkout: price times quantity minus discount, but not below 0. */
export const totalOf = (price: string, quantity: number, discount: string): string =>
  toDecimal(Math.max(0, subtotalOf(price, quantity) - pence(discount)));

/** Price times quantity, in pence, before the discount. */
export const subtotalOf = (price: string, quantity: number): Pence => pence(price) * quantity;

const pence = (amount: string): Pence => fromDecimal(amount) ?? 0;

/** How many tickets one may buy: ten, or those that are left if fewer. The person's own held tickets count as left. */
export const mostOf = (availableTickets: number, held: number): number =>
  Math.max(1, Math.min(MOST_TICKETS_A_BOOKING, Math.max(0, availableTickets) + held));
