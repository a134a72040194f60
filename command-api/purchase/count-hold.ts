import type { ActingLane } from '#command-api/lane/lane.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { liveAttempt } from '#domain/checkout/state.ts';
import { type HoldsCommand, holds } from '#domain/holds/holds.ts';
import { refusalOf } from '#domain/kernel/refusal.ts';

/** Milliseconds in which a counted hold's checkout may not be open yet: the two are appended concurrently. */
const OPENING = 5_000;

const overAt = async (
  userId: string,
  listingIds: readonly number[],
  until: string,
  acting: ActingLane,
): Promise<readonly number[]> => {
  const { state: counted } = await acting.state(holds, userId);
  const isOver = async (listingId: number): Promise<boolean> => {
    const { state } = await acting.state(checkout, checkoutId(userId, listingId));
    const live = liveAttempt(state);
    if (live) return live.payment !== null;
    const hold = counted.get(listingId);
    return !hold || state.attempts.has(hold.attempt) || Date.parse(until) - Date.parse(hold.until) >= OPENING;
  };
  const over = await Promise.all(listingIds.map(isOver));
  return listingIds.filter((_, index) => over[index]);
};

/** @throws Refusal TOO_MANY_HOLDS if the account holds tickets of too many other listings */
export const countHold = async (
  { userId, listingId, attempt, until, at, most }: Omit<HoldsCommand, 'type' | 'over'>,
  acting: ActingLane,
): Promise<void> => {
  let over: readonly number[] = [];
  for (;;) {
    const hold = { userId, listingId, attempt, until, at, most, over };
    const outcome = await acting.ask(holds, userId, { type: 'CountHold', ...hold });
    if (outcome.ok) return;
    const others = outcome.rejection.details?.listingIds as readonly number[];
    const ended = await overAt(userId, others, until, acting);
    if (ended.length === 0) throw refusalOf(outcome.rejection);
    over = [...over, ...ended];
  }
};
