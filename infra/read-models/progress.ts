import type pg from 'pg';
import { z } from 'zod';
import type { Position } from '#infra/event-log/event-log.ts';
import { listen } from '#infra/postgres/listener.ts';
import { LIVE } from './read-models.ts';

/** Channel that asks projectors to retry parked events. */
export const RETRY_PARKED_CHANNEL = 'retry_parked';

export const READ_MODELS_CHANNEL = 'read_models';

export interface ReadModelsNotice {
  readonly position: Position;
  /** Listings whose entry or tickets have changed; `undefined` if too many to list. */
  readonly listings: readonly number[] | undefined;
  /** Bookings made, changed or admitted; empty if too many to list. */
  readonly bookings?: readonly number[] | undefined;
}

/** PostgreSQL limits payloads to less than 8,000 bytes. */
const MOST_LISTINGS = 500;
const MOST_BOOKINGS = 150;

export const writeNotice = ({ position, listings, bookings = [] }: ReadModelsNotice): string =>
  JSON.stringify({
    position,
    ...(listings && listings.length <= MOST_LISTINGS && { listings }),
    ...(bookings.length > 0 && bookings.length <= MOST_BOOKINGS && { bookings }),
  });

const notice = z.object({
  position: z.string(),
  listings: z.array(z.number()).optional(),
  bookings: z.array(z.number()).optional(),
});

const readNotice = (payload: string): ReadModelsNotice | undefined => {
  try {
    const { position, listings, bookings } = notice.parse(JSON.parse(payload));
    return { position, listings, bookings };
  } catch {
    return undefined; // Not the projector's: any role may notify on a channel.
  }
};

export interface ReadProgress {
  /** The highest position seen, without a query: the read models are there or further. `''` before the first read. */
  position(): Position;
  current(): Promise<{ readonly logId: string; readonly position: Position }>;
  /** Resolves to true once the read models reach `position`, or to false after `ms` milliseconds. */
  waitFor(position: Position, ms: number): Promise<boolean>;
  /**
   * Calls `listener` on every notice, and with `listings` undefined after a break that may have lost some.
   * Returns the unsubscribe function.
   */
  onNotice(listener: (notice: ReadModelsNotice) => void): () => void;
  close(): Promise<void>;
}

const LOOK_AGAIN = 250;

/** Uses a LISTEN connection of its own. Closing does not close the pool. */
export const followReadModels = ({
  pool,
  url,
}: {
  readonly pool: pg.Pool;
  readonly url: string;
}): ReadProgress => {
  let highest: Position = '';
  const listeners = new Set<(notice: ReadModelsNotice) => void>();
  const waiting = new Set<() => void>();

  const seen = (position: Position): void => {
    if (position <= highest) return;
    highest = position;
    for (const look of [...waiting]) look();
  };

  const current = async () => {
    const { rows } = await pool.query<{ log_id: string; position: Position }>(
      `SELECT log_id, position FROM ${LIVE}.checkpoint`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the read models have no checkpoint');
    seen(row.position);
    return { logId: row.log_id, position: row.position };
  };

  const tell = (news: ReadModelsNotice): void => {
    seen(news.position);
    for (const listener of listeners) listener(news);
  };

  /**
   * The position may be lower than before: a crashed database may have lost the last commits, and a switch
   * may have restored earlier read models.
   */
  const lookAnew = (): void => {
    current().then(
      ({ position }) => {
        highest = position;
        tell({ position, listings: undefined });
      },
      () => undefined /* the tables may not exist yet; notices come once they do */,
    );
  };

  const listener = listen({
    url,
    channel: READ_MODELS_CHANNEL,
    onNotify: (payload) => {
      const news = readNotice(payload);
      if (news === undefined) return;
      if (news.listings === undefined) lookAnew();
      else tell(news);
    },
    onConnect: () => lookAnew(),
  });

  let again: NodeJS.Timeout | undefined;
  let looking = false;
  /** One query for all waiting callers: clients control their number. */
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    await current().catch(() => undefined /* the deadlines still apply */);
    looking = false;
  };

  const waitFor = (position: Position, ms: number): Promise<boolean> => {
    if (position <= highest) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (answer: boolean): void => {
        clearTimeout(deadline);
        waiting.delete(check);
        if (waiting.size === 0) clearInterval(again);
        resolve(answer);
      };
      const check = (): void => {
        if (position <= highest) done(true);
      };
      const deadline = setTimeout(() => done(position <= highest), ms);
      waiting.add(check);
      if (waiting.size > 1) return;
      again = setInterval(look, LOOK_AGAIN);
      look();
    });
  };

  return {
    position: () => highest,
    current,
    waitFor,
    onNotice: (callback) => {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    close: () => listener.close(),
  };
};
