import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import { z } from 'zod';
import type { InventoryState } from './state.ts';

const Hold = z.tuple([z.string(), z.number(), z.string(), z.number(), z.string()]);
const Sale = z.tuple([z.number(), z.string(), z.number(), z.number(), z.number(), z.number()]);

const Snapshot = z.object({
  listingId: z.number().nullable(),
  capacity: z.number(),
  sold: z.number(),
  held: z.number(),
  closed: z.enum(['archived', 'started']).nullable(),
  holds: z.array(Hold),
  sales: z.array(Sale),
  recent: z.array(z.string()),
  older: z.array(z.string()),
  since: z.number().nullable(),
  horizon: z.number(),
});

export const toJSON = (state: InventoryState): z.infer<typeof Snapshot> => ({
  listingId: state.listingId,
  capacity: state.capacity,
  sold: state.sold,
  held: state.held,
  closed: state.closed,
  holds: [...state.holds].map(([attempt, h]) => [attempt, h.bookingId, h.userId, h.quantity, h.until]),
  sales: [...state.sales].map(([booking, { userId, quantity, returned, retaken, givenUp }]) => [
    booking,
    userId,
    quantity,
    returned,
    retaken,
    givenUp,
  ]),
  recent: [...state.ended.recent],
  older: [...state.ended.older],
  since: state.ended.since,
  horizon: state.ended.horizon,
});

/** @throws ZodError for JSON that `toJSON` did not write */
export const fromJSON = (json: unknown): InventoryState => {
  const { holds, sales, recent, older, since, horizon, ...rest } = Snapshot.parse(json);
  return {
    ...rest,
    holds: ImmutableMap(
      holds.map(([attempt, bookingId, userId, quantity, until]) => [
        attempt,
        { bookingId, userId, quantity, until },
      ]),
    ),
    sales: ImmutableMap(
      sales.map(([booking, userId, quantity, returned, retaken, givenUp]) => [
        booking,
        { userId, quantity, returned, retaken, givenUp },
      ]),
    ),
    ended: { recent: ImmutableSet(recent), older: ImmutableSet(older), since, horizon },
  };
};
