import type { Kysely } from 'kysely';
import type { LiveMessage } from '#domain/contracts/catalogue.ts';
import type { ReadProgress } from '#infra/read-models/progress.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';

/** Gets the updates. */
export type Listener = (message: LiveMessage) => void;

/** Sends ticket counts when they change, of each listing at most once in `BEAT` milliseconds. */
export interface Live {
  /** Hears every update until the returned function is called. */
  listen(listener: Listener): () => void;
  readonly listeners: number;
  close(): Promise<void>;
}

export interface LiveOptions {
  readonly db: Kysely<ReadModels>;
  readonly progress: Pick<ReadProgress, 'onNotice' | 'position'>;
  /** A position as the token that clients send. */
  token(position: string): string;
  onError(error: unknown): void;
}

/** The shortest time between two updates of a listing, in milliseconds. */
const BEAT = 250;

/**
 * Sends the counts of listings that the projector says have changed. They come from the read models, so that a client that
 * refetches after the message gets the same.
 */
export const openLive = ({ db, progress, token, onError }: LiveOptions): Live => {
  const listeners = new Set<Listener>();
  let changed = new Set<number>();
  let telling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

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
    const listingIds = [...changed];
    changed = new Set();
    if (listingIds.length === 0 || listeners.size === 0) return;
    telling = tell(listingIds)
      .catch(onError)
      .finally(() => {
        telling = undefined;
        if (changed.size > 0) timer ??= setTimeout(beat, BEAT);
      });
  };

  const forget = progress.onNotice(({ listings }) => {
    // Notices that were missed during an outage are not made up for: clients refetch when they reconnect or get the focus.
    for (const listing of listings ?? []) changed.add(listing);
    if (changed.size > 0 && !telling) timer ??= setTimeout(beat, BEAT);
  });

  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
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
