/** Restarts at the checkpoint after any failure. Another projector takes over within the lease. */
import type pg from 'pg';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, Position } from '#infra/event-log/event-log.ts';
import { READ_MODELS_CHANNEL, writeNotice } from '#infra/read-models/progress.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { follow } from '#infra/subscriptions/follow.ts';
import { type LeadingOptions, lead, leaseOn } from '#infra/subscriptions/leader.ts';
import { CheckpointMoved, Engine } from './engine.ts';
import { type Changed, filterFor, type Projection } from './projection.ts';

export type RunnerNews = { readonly kind: 'leading'; readonly from: Position } | { readonly kind: 'moved' };

export interface RunnerOptions {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly projections: readonly Projection[];
  readonly lease?: number;
  /** Minimum interval between batches, in milliseconds: larger batches leave more capacity to sales. Default 10. */
  readonly pace?: number;
  readonly pageSize?: number;
  onNews?(news: RunnerNews): void;
  /** Includes failures this process can't repair: read models of another log or version, and events of a newer program. */
  readonly trouble?: LeadingOptions['trouble'];
}

export interface Runner {
  /** `''` while it does not hold the lease. */
  position(): Position;
  leads(): boolean;
  stop(): Promise<void>;
}

const FIRST_RETRY = 50;
const LAST_RETRY = 2_000;

const LISTING_TABLES = ['listing', 'inventory'] as const;
const BOOKING_TABLES = ['booking', 'admission'] as const;

const idsIn = (changed: Changed, tables: readonly string[]): number[] =>
  tables.flatMap((table) => changed.get(table) ?? []).map(Number);

/** The tables must exist (`createReadModels`). */
export const startRunner = (options: RunnerOptions): Runner => {
  const {
    pool,
    log,
    codec,
    projections,
    lease: leaseMs = 3_000,
    pageSize = 5_000,
    pace = 10,
    onNews,
    trouble,
  } = options;
  const { types } = filterFor(projections);
  const lease = leaseOn({ pool, table: `${LIVE}.checkpoint`, ms: leaseMs });
  let leading: Engine | undefined;

  /** One notification at a time; commits meanwhile are merged into the next. */
  const announcements = () => {
    let waiting: { position: Position; listings: Set<number>; bookings: Set<number> } | undefined;
    let sending: Promise<unknown> | undefined;
    const send = (): void => {
      if (waiting === undefined || sending !== undefined) return;
      const { position, listings, bookings } = waiting;
      const notice = writeNotice({ position, listings: [...listings], bookings: [...bookings] });
      waiting = undefined;
      sending = pool
        .query('SELECT pg_notify($1, $2)', [READ_MODELS_CHANNEL, notice])
        .catch(() => undefined /* whoever waits also polls */)
        .finally(() => {
          sending = undefined;
          send();
        });
    };
    return (position: Position, changed: Changed): void => {
      const { listings = new Set<number>(), bookings = new Set<number>() } = waiting ?? {};
      for (const id of idsIn(changed, LISTING_TABLES)) listings.add(id);
      for (const id of idsIn(changed, BOOKING_TABLES)) bookings.add(id);
      waiting = { position, listings, bookings };
      send();
    };
  };

  const work = async (signal: AbortSignal, progressed: () => void): Promise<void> => {
    const { holder } = lease;
    const engine = new Engine({
      ...{ pool, schema: LIVE, projections, codec, log, holder },
      onCommitted: announcements(),
    });
    try {
      await engine.open();
      leading = engine;
      onNews?.({ kind: 'leading', from: engine.position });
      await follow({
        ...{ log, from: engine.position, signal, pageSize },
        types: () => types,
        rest: (_, took) => pace - took,
        async handle(batch) {
          await engine.apply(await engine.decode(batch));
          progressed();
          return true;
        },
      });
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
      onNews?.({ kind: 'moved' });
    } finally {
      leading = undefined;
    }
  };

  const { stop } = lead(lease, work, {
    ...(trouble && { trouble }),
    ...{ first: FIRST_RETRY, longest: LAST_RETRY },
  });
  return { position: () => leading?.position ?? '', leads: () => leading !== undefined, stop };
};
