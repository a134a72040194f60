/**
 * Rebuilding without downtime: new read models grow beside the live ones with a checkpoint of their own,
 * catch up, are compared, and are switched to in one step under the checkpoint's lock. Nothing else ever
 * sees them half-made, and the old ones stay to be switched back to.
 */
import type pg from 'pg';
import { CannotStart } from '#infra/cannot-start.ts';
import { hasReached } from '#infra/event-log/checkpoint.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type EventLog, type Position, START } from '#infra/event-log/event-log.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { type Comparison, compareReadModels } from './compare.ts';
import { Engine } from './engine.ts';
import { filterFor, type Projection, tablesOf, versionsOf } from './projection.ts';
import { createReadModels, indexesOf, quote } from './schema.ts';
import { alone, PREVIOUS, tellEverybody } from './switch.ts';

export const NEXT = 'read_next';
/** A rebuild that is only compared, and then dropped. */
const CHECK = 'read_check';

export interface Progress {
  readonly phase: 'load' | 'index' | 'catch-up' | 'compare' | 'switch';
  /** Events read so far: those that some read model wants. */
  readonly events: number;
  readonly seconds: number;
  /** Part of the log that has been read, from 0 to 1; `undefined` where the store's positions don't tell. */
  readonly fraction: number | undefined;
}

export interface RebuildOptions {
  /** At least four connections, best opened with `synchronous_commit=off`. */
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly projections: readonly Projection[];
  /** Events a page. Small pages are garbage while it is cheap to collect. Default 500. */
  readonly pageSize?: number;
  /** The live read models are known to be damaged: rows that differ are told, and don't stop the switch. */
  readonly despiteDifferences?: boolean;
  onProgress?(progress: Progress): void;
}

export interface Rebuilt {
  readonly events: number;
  /** Of loading and indexing, without the comparison. */
  readonly seconds: number;
  readonly position: Position;
  readonly parked: number;
  /** `undefined` where there was nothing to compare with. */
  readonly comparison: Comparison | undefined;
  readonly switched: boolean;
}

/** Thrown when the folds are the same and yet the rows are not. The new read models stay beside the live ones, to be looked at. */
export class RebuildDiffers extends Error {
  override readonly name = 'RebuildDiffers';
  readonly comparison: Comparison;
  constructor(comparison: Comparison) {
    const tables = [...Object.keys(comparison.differing), ...comparison.incomparable].join(', ');
    super(`The rebuilt read models differ from the live ones in ${tables}; nothing was switched.`);
    this.comparison = comparison;
  }
}

/** Padded decimal positions tell how far they are; others are opaque. */
const fractionOf = (position: Position, end: Position): number | undefined =>
  /^\d+$/.test(position) && /^\d+$/.test(end) && Number(end) > 0
    ? Math.min(Number(position) / Number(end), 1)
    : undefined;

interface Live {
  readonly position: Position;
  /** Another log's positions say nothing here; nor do this one's from before it was restored from an older backup. */
  readonly ofThisLog: boolean;
  /** Whether those that they are made by now made them. */
  readonly sameFolds: boolean;
}

/** The live read models, if there are any. */
const lookAtLive = async ({ pool, log, projections }: RebuildOptions): Promise<Live | undefined> => {
  const { rows: found } = await pool.query(`SELECT to_regclass('${LIVE}.checkpoint') AS it`);
  if (found[0]?.it === null) return undefined;
  const { rows } = await pool.query<{ log_id: string; position: Position; same: boolean }>(
    `SELECT log_id, position, versions = $1::jsonb AS same FROM ${LIVE}.checkpoint`,
    [versionsOf(projections)],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { position } = row;
  const ofThisLog = row.log_id === log.id && (await hasReached(log, position));
  return { position, ofThisLog, sameFolds: row.same };
};

/** Reads one page ahead: it is on its way while the one before is worked on. */
async function* prefetched<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const result = await next;
      if (result.done) return;
      next = iterator.next();
      // Where the work on the page before fails first, nobody waits for this one: its own failure must not count as unhandled.
      next.catch(() => undefined);
      yield result.value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}

class Rebuild {
  readonly #options: RebuildOptions;
  readonly #schema: string;
  readonly #started = performance.now();
  readonly #engine: Engine;
  #events = 0;
  #fraction: number | undefined;

  constructor(options: RebuildOptions, schema: string) {
    const { pool, projections, codec, log } = options;
    this.#options = options;
    this.#schema = schema;
    this.#engine = new Engine({
      pool,
      schema,
      projections,
      codec,
      log,
      writeEvery: 5_000,
      holder: null,
      cacheRows: 100_000,
      fromEmpty: true,
    });
  }

  get events(): number {
    return this.#events;
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  get position(): Position {
    return this.#engine.position;
  }

  tell(phase: Progress['phase']): void {
    const { seconds } = this;
    this.#options.onProgress?.({ phase, events: this.#events, seconds, fraction: this.#fraction });
  }

  /** From nothing to `until`, and then the indexes. */
  async load(until: Position): Promise<void> {
    const { pool, projections, log } = this.#options;
    await pool.query(`DROP SCHEMA IF EXISTS ${quote(this.#schema)} CASCADE`);
    await createReadModels(pool, this.#schema, projections, log.id, { indexes: false });
    await this.#engine.open();
    await this.catchUp(until, 'load');
    this.tell('index');
    for (const statement of indexesOf(this.#schema, projections)) await pool.query(statement);
    const tables = tablesOf(projections).map(({ name }) => `${quote(this.#schema)}.${quote(name)}`);
    await pool.query(`ANALYZE ${tables.join(', ')}`);
  }

  async catchUp(until: Position, phase: Progress['phase'] = 'catch-up'): Promise<void> {
    const { log, projections, pageSize = 500 } = this.#options;
    const filter = filterFor(projections);
    if (until <= this.#engine.position) return;
    for await (const batch of prefetched(log.readAll(this.#engine.position, { until, pageSize, filter }))) {
      await this.#engine.apply(batch.events, batch.position);
      this.#events += batch.events.length;
      this.#fraction = fractionOf(batch.position, until);
      this.tell(phase);
    }
    await this.#engine.settle();
    // The last event may have been filtered out, or stand before `until`: the place is reached all the same.
    await this.#engine.apply([], until);
    await this.#engine.settle();
  }

  /** Compares both at the same place in the log, in a snapshot; the live ones are held up only until it is taken. */
  async compareWithLive(): Promise<Comparison> {
    const { pool, projections } = this.#options;
    this.tell('compare');
    // What came during the load is caught up with before anybody is held up.
    const live = await lookAtLive(this.#options);
    await this.catchUp(live?.position ?? START);
    const lock = await pool.connect();
    const snapshot = await pool.connect();
    try {
      await lock.query('BEGIN');
      const { rows } = await lock.query<{ position: Position }>(
        `SELECT position FROM ${LIVE}.checkpoint FOR UPDATE`,
      );
      await this.catchUp(rows[0]?.position ?? START);
      await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await snapshot.query(`SELECT position FROM ${LIVE}.checkpoint`);
      await lock.query('ROLLBACK');
      return await compareReadModels(snapshot, LIVE, this.#schema, projections);
    } finally {
      await lock.query('ROLLBACK').catch(() => undefined /* the connection is gone */);
      await snapshot.query('ROLLBACK').catch(() => undefined /* the connection is gone */);
      lock.release();
      snapshot.release();
    }
  }

  /** Makes these the live read models. The runner's next commit fails, and it goes on from the new checkpoint. */
  async switchOver(): Promise<void> {
    const { pool } = this.#options;
    this.tell('switch');
    const live = await lookAtLive(this.#options);
    if (live?.ofThisLog === true) await this.catchUp(live.position);
    await pool.query(`DROP SCHEMA IF EXISTS ${PREVIOUS} CASCADE`);
    const next = quote(this.#schema);
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      if (live !== undefined) {
        const { rows } = await client.query<{ position: Position }>(
          `UPDATE ${LIVE}.checkpoint SET generation = generation + 1, updated_at = clock_timestamp() RETURNING position`,
        );
        if (live.ofThisLog) await this.catchUp(rows[0]?.position ?? START);
        await client.query(
          `UPDATE ${next}.checkpoint n SET holder = l.holder, lease_until = l.lease_until,
            generation = l.generation + 1 FROM ${LIVE}.checkpoint l`,
        );
        await client.query(`ALTER SCHEMA ${LIVE} RENAME TO ${PREVIOUS}`);
      }
      await client.query(`ALTER SCHEMA ${next} RENAME TO ${LIVE}`);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined /* the connection is gone */);
      throw error;
    } finally {
      client.release();
    }
    await tellEverybody(pool, this.position);
  }

  async parked(): Promise<number> {
    const { rows } = await this.#options.pool.query<{ parked: number }>(
      `SELECT count(*)::integer AS parked FROM ${quote(this.#schema)}.parked`,
    );
    return rows[0]?.parked ?? 0;
  }
}

/**
 * Rebuilds all read models and switches to them. Where the same folds made the live ones, a row that differs
 * stops the switch, unless it is asked for all the same; otherwise the differences are only reported.
 * @throws RebuildDiffers
 */
export const rebuild = (options: RebuildOptions): Promise<Rebuilt> =>
  alone(options.pool, async () => {
    const work = new Rebuild(options, NEXT);
    const live = await lookAtLive(options);
    // Rows are compared at the same place, so the new ones must not run ahead of the live ones.
    await work.load(live?.ofThisLog === true ? live.position : await options.log.head());
    const { seconds } = work;
    const comparison = live?.ofThisLog === true ? await work.compareWithLive() : undefined;
    const gate = live?.sameFolds === true && options.despiteDifferences !== true;
    if (gate && comparison?.equal === false) throw new RebuildDiffers(comparison);
    // Where other folds made the live ones, nobody moves those on.
    if (live?.sameFolds === false) await work.catchUp(await options.log.head());
    const parked = await work.parked();
    await work.switchOver();
    const { events, position } = work;
    return { events, seconds, position, parked, comparison, switched: true };
  });

/**
 * Rebuilds beside the live read models only to compare, and drops what it built. The tests' oracle: it says
 * whether the live ones equal a rebuild from zero at the same place in the log.
 */
export const compareWithRebuild = (options: RebuildOptions): Promise<Comparison> =>
  alone(options.pool, async () => {
    const work = new Rebuild(options, CHECK);
    const live = await lookAtLive(options);
    if (live === undefined) throw new CannotStart('There are no live read models to compare with.');
    if (!live.ofThisLog)
      throw new CannotStart('The live read models are not of this log, or of a longer one.');
    await work.load(live.position);
    const comparison = await work.compareWithLive();
    await options.pool.query(`DROP SCHEMA ${CHECK} CASCADE`);
    return comparison;
  });

/** Loads into `read_next` and leaves it there: what the benchmark measures. */
export const loadOnly = (options: RebuildOptions): Promise<Rebuilt> =>
  alone(options.pool, async () => {
    const work = new Rebuild(options, NEXT);
    await work.load(await options.log.head());
    const { events, seconds, position } = work;
    return { events, seconds, position, parked: await work.parked(), comparison: undefined, switched: false };
  });
