import type pg from 'pg';
import { z } from 'zod';
import type { Position } from '#infra/event-log/event-log.ts';
import { listen } from '#infra/postgres/listener.ts';
import { LIVE } from './read-models.ts';

export const RETRY_PARKED_CHANNEL = 'retry_parked';

export const READ_MODELS_CHANNEL = 'read_models';

export interface ReadModelsNotice {
  readonly position: Position;
  /** `undefined` if too many to list. */
  readonly listings: readonly number[] | undefined;
  /** Empty if too many to list. */
  readonly bookings?: readonly number[] | undefined;
}

/** PostgreSQL's payloads are below 8,000 bytes. */
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
    return undefined; // any role may notify on a channel
  }
};

export interface ReadProgress {
  /** The read models are at this position or further. No query; `''` before the first read. */
  position(): Position;
  current(): Promise<{ readonly logId: string; readonly position: Position }>;
  /** `ms` milliseconds at most; then false. */
  waitFor(position: Position, ms: number): Promise<boolean>;
  /** `listings` is undefined after a break that may have lost notices. Returns the unsubscribe function. */
  onNotice(listener: (notice: ReadModelsNotice) => void): () => void;
  close(): Promise<void>;
}

const LOOK_AGAIN = 250;

/** On a LISTEN connection of its own. Closing does not close the pool. */
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

  /** A crashed database may have lost its last commits, and a switch may have restored earlier read models. */
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
  /** One query for all callers, whose number clients control. */
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
