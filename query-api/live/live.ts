import type { Kysely } from 'kysely';
import type { LiveMessage } from '#domain/contracts/catalogue.ts';
import type { ReadProgress } from '#infra/read-models/progress.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { doorCounts } from '#query-api/queries/scans.ts';

export type Listener = (message: LiveMessage) => void;

/** At most one update per listing in `BEAT` milliseconds. */
export interface Live {
  /**
   * Returns a function that stops.
   * @param atTheDoor whether to include admissions
   */
  listen(listener: Listener, atTheDoor?: boolean): () => void;
  readonly listeners: number;
  close(): Promise<void>;
}

export interface LiveOptions {
  readonly db: Kysely<ReadModels>;
  readonly progress: Pick<ReadProgress, 'onNotice' | 'position'>;
  token(position: string): string;
  onError(error: unknown): void;
}

/** Milliseconds. */
const BEAT = 250;

export const openLive = ({ db, progress, token, onError }: LiveOptions): Live => {
  const listeners = new Set<Listener>();
  const gates = new Set<Listener>();
  let changed = new Set<number>();
  let entered = new Set<number>();
  let telling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const tellGates = async (bookingIds: readonly number[]): Promise<void> => {
    const position = token(progress.position());
    const found = db.selectFrom('booking').select('listing_id').distinct().where('id', 'in', bookingIds);
    const listingIds = (await found.execute()).map(({ listing_id }) => listing_id);
    if (listingIds.length === 0) return;
    for (const counts of await doorCounts(db, listingIds))
      for (const gate of gates) gate({ type: 'doorUpdate', counts, position });
  };

  const tell = async (listingIds: readonly number[]): Promise<void> => {
    const position = token(progress.position());
    const rows = await db.selectFrom('inventory').selectAll().where('listing_id', 'in', listingIds).execute();
    for (const row of rows) {
      const availableTickets = Math.max(0, row.capacity - row.sold - row.held);
      for (const listener of listeners) {
        listener({ type: 'ticketUpdate', eventId: row.listing_id, availableTickets, position });
      }
    }
  };

  const beat = (): void => {
    timer = undefined;
    const [listingIds, bookingIds] = [[...changed], [...entered]];
    changed = new Set();
    entered = new Set();
    const told = [
      ...(listingIds.length > 0 && listeners.size > 0 ? [tell(listingIds)] : []),
      ...(bookingIds.length > 0 && gates.size > 0 ? [tellGates(bookingIds)] : []),
    ];
    if (told.length === 0) return;
    telling = Promise.all(told)
      .then(() => undefined, onError)
      .finally(() => {
        telling = undefined;
        if (changed.size + entered.size > 0) timer ??= setTimeout(beat, BEAT);
      });
  };

  const forget = progress.onNotice(({ listings, bookings }) => {
    // Clients refetch on reconnect or focus, so missed notices are not replayed.
    for (const listing of listings ?? []) changed.add(listing);
    if (gates.size > 0) for (const booking of bookings ?? []) entered.add(booking);
    if (changed.size + entered.size > 0 && !telling) timer ??= setTimeout(beat, BEAT);
  });

  return {
    listen(listener, atTheDoor = false) {
      listeners.add(listener);
      if (atTheDoor) gates.add(listener);
      return () => {
        listeners.delete(listener);
        gates.delete(listener);
      };
    },
    get listeners() {
      return listeners.size;
    },
    async close() {
      forget();
      clearTimeout(timer);
      await telling;
    },
  };
};
