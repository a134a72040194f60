import { Refusal } from '#domain/kernel/refusal.ts';
import { isOver, type ListingState } from './state.ts';

const BEGUN = { message: 'This event has begun. It can be deleted once its day is over.' };
const NOT_OVER = { message: 'This event’s day isn’t over. Deleting it pays its bookings back.' };

/**
 * Repeatable.
 * @throws Refusal LISTING_NOT_FOUND; CONFLICT while the event is on, or if it would keep bookings of an
 * event that is not over
 */
export const howDeleted = (
  { schedule, archived }: Pick<ListingState, 'schedule' | 'archived'>,
  refund: boolean | undefined,
  now: Date,
): 'cancelled' | 'kept' => {
  if (!schedule) throw new Refusal('LISTING_NOT_FOUND');
  const over = isOver(schedule, now);
  if (!(refund ?? !over)) {
    if (!over) throw new Refusal('CONFLICT', {}, NOT_OVER);
    return 'kept';
  }
  const begun = Date.parse(schedule.startsAt) <= now.getTime();
  if (begun && !over && !archived) throw new Refusal('CONFLICT', {}, BEGUN);
  return 'cancelled';
};
