/** Follows how far the read models are, for readers who wait to see their own change. */
import type pg from 'pg';
import { z } from 'zod';
import type { Position } from '#infra/event-log/event-log.ts';
import { listen } from '#infra/postgres/listener.ts';
import { LIVE } from './read-models.ts';

/** The channel on which projectors are asked to try parked events again. */
export const RETRY_PARKED_CHANNEL = 'retry_parked';

/** The PostgreSQL channel of the projector's notices. */
export const READ_MODELS_CHANNEL = 'read_models';

/** What the projector notifies after its commits. */
export interface ReadModelsNotice {
  readonly position: Position;
  /** The listings whose entry or tickets have changed since the last notice; `undefined` if they are too many to list. */
  readonly listings: readonly number[] | undefined;
  /** The bookings that were made or have changed, or whose people came in; none if they are too many to list. */
  readonly bookings?: readonly number[] | undefined;
}

/** How many listings a notice names at most: PostgreSQL takes payloads of less than 8,000 bytes. */
const MOST_LISTINGS = 500;
const MOST_BOOKINGS = 150;

/** A notice as the payload of a notification. */
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
    return undefined; // It is not the projector's: anybody may notify on a channel.
  }
};

/** Knows how far the read models are, without asking the database each time. */
export interface ReadProgress {
  /** The highest position that was seen: the read models are there or further. `''` before the first look. */
  position(): Position;
  /** Reads the checkpoint. */
  current(): Promise<{ readonly logId: string; readonly position: Position }>;
  /** Resolves to true once the read models have reached `position`, or to false after `ms` milliseconds. */
  waitFor(position: Position, ms: number): Promise<boolean>;
  /** Calls `listener` on every notice, and with `listings` undefined after a break in which notices may have been missed. Call the returned function to end it. */
  onNotice(listener: (notice: ReadModelsNotice) => void): () => void;
  close(): Promise<void>;
}

/** How often the checkpoint is read while somebody waits, in case a notification was lost, in milliseconds. */
const LOOK_AGAIN = 250;

/** Follows the live read models on a LISTEN connection of its own. The pool is not closed with it. */
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
   * Reads the checkpoint after a break. The position may be lower than before: a database that crashed may have lost the last
   * commits, and a switch may have brought earlier read models back.
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
  /** Reads the checkpoint for all who wait. Anybody may say that they do, so their number must not be that of the queries. */
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    await current().catch(() => undefined /* the deadlines hold all the same */);
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
