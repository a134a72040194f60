import type { ActingLane } from '#command-api/lane/lane.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { liveAttempt } from '#domain/checkout/state.ts';
import { type HoldsCommand, holds } from '#domain/holds/holds.ts';
import { refusalOf } from '#domain/refusal.ts';

/** Those of the listings at which the buyer holds nothing any more. */
const overAt = async (userId: string, listingIds: readonly number[], acting: ActingLane) => {
  const own = await Promise.all(
    listingIds.map(async (listingId) => {
      const { state } = await acting.state(checkout, checkoutId(userId, listingId));
      const live = liveAttempt(state);
      return live && !live.payment ? [] : [listingId];
    }),
  );
  return own.flat();
};

/** Counts the hold that is to be made. @throws Refusal TOO_MANY_HOLDS if the account holds tickets of too many other listings */
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
    const ended = await overAt(userId, others, acting);
    if (ended.length === 0) throw refusalOf(outcome.rejection);
    over = [...over, ...ended];
  }
};
