import type { BookingStatus as ShownStatus } from '#domain/contracts/bookings.ts';
import { type Rejection, reject } from '#domain/kernel/decider.ts';
import type { BookingStatus } from './state.ts';

/** Only between confirmed and cancelled, and before the event is over (STATUS_FIXED). */
export const changeByHand = (
  status: BookingStatus,
  wanted: ShownStatus,
  over: boolean,
): 'cancel' | 'reinstate' | 'nothing' | Rejection => {
  if (status === 'none') return reject('BOOKING_NOT_FOUND');
  const changes = status !== 'refunded' && !over;
  if (!changes || (wanted !== 'confirmed' && wanted !== 'cancelled')) return reject('STATUS_FIXED');
  if (status === wanted) return 'nothing';
  return wanted === 'cancelled' ? 'cancel' : 'reinstate';
};
