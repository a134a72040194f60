/** Rebuilds beside the live read models, compares, and switches in one transaction. The old ones are kept for switching back. */

import type pg from 'pg';
import { isOfLog } from '#infra/event-log/checkpoint.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type EventLog, type Position, START } from '#infra/event-log/event-log.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { Engine } from '#projector/engine/engine.ts';
import { filterFor, type Projection, tablesOf, versionsOf } from '#projector/engine/projection.ts';
import { createReadModels, indexesOf, quote } from '#projector/engine/schema.ts';
import { type Comparison, compareReadModels } from './compare.ts';
import { alone, PREVIOUS, tellEverybody } from './switch.ts';

export const NEXT = 'read_next';
const CHECK = 'read_check';

/** How far a rebuild is. */
export interface Progress {
  readonly phase: 'load' | 'index' | 'catch-up' | 'compare' | 'switch';
  readonly events: number;
  readonly seconds: number;
  /** 0 to 1; `undefined` if positions are not numeric. */
  readonly fraction: number | undefined;
}

export interface RebuildOptions {
  /** At least four connections; `synchronous_commit=off` is faster. */
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly projections: readonly Projection[];
  readonly pageSize?: number;
  /** Switch despite differences, if the live read models are known to be damaged; they are reported. */
  readonly despiteDifferences?: boolean;
  onProgress?(progress: Progress): void;
}

export interface Rebuilt {
  readonly events: number;
  readonly seconds: number;
  readonly position: Position;
  readonly parked: number;
  readonly comparison: Comparison | undefined;
  readonly switched: boolean;
}

/** Rows differ though the same folds made both. The rebuild is kept in `read_next` for inspection. */
export class RebuildDiffers extends Error {
  override readonly name = 'RebuildDiffers';
  readonly comparison: Comparison;
  constructor(comparison: Comparison) {
    const tables = [...Object.keys(comparison.differing), ...comparison.incomparable].join(', ');
    super(`The rebuilt read models differ from the live ones in ${tables}; nothing was switched.`);
    this.comparison = comparison;
  }
}

const fractionOf = (position: Position, end: Position): number | undefined =>
  /^\d+$/.test(position) && /^\d+$/.test(end) && Number(end) > 0
    ? Math.min(Number(position) / Number(end), 1)
    : undefined;

interface Live {
  readonly position: Position;
  readonly ofThisLog: boolean;
  readonly sameFolds: boolean;
}

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
  const ofThisLog = await isOfLog(log, row.log_id, position);
  return { position, ofThisLog, sameFolds: row.same };
};

async function* prefetched<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const result = await next;
      if (result.done) return;
      next = iterator.next();
      // If the caller fails, this is never awaited: avoid an unhandled rejection.
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
    this.#engine = new Engine({ pool, schema, projections, codec, log, holder: null });
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

  /**
   * Continues an earlier rebuild.
   * @throws OtherVersions, OtherLogsCheckpoint
   */
  async resume(): Promise<void> {
    await this.#engine.open();
  }

  async catchUp(until: Position, phase: Progress['phase'] = 'catch-up'): Promise<void> {
    if (until <= this.#engine.position) return;
    for await (const { read, decoded } of prefetched(this.#decoded(until))) {
      await this.#engine.apply(decoded);
      this.#events += read;
      this.#fraction = fractionOf(decoded.position, until);
      this.tell(phase);
    }
    // Move the checkpoint even if the event at `until` was filtered out.
    await this.#engine.apply({ events: [], position: until });
  }

  async *#decoded(until: Position) {
    const { log, projections, pageSize = 1_000 } = this.#options;
    const filter = filterFor(projections);
    for await (const batch of log.readAll(this.#engine.position, { until, pageSize, filter }))
      yield { read: batch.events.length, decoded: await this.#engine.decode(batch) };
  }

  /** At the same position, in a snapshot. The live read models are locked until it is taken. */
  async compareWithLive(): Promise<Comparison> {
    const { pool, projections } = this.#options;
    this.tell('compare');
    // Catch up before locking the live read models.
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

  /** Makes the runner's next commit fail; it continues from the new checkpoint. */
  async switchOver(): Promise<void> {
    const { pool } = this.#options;
    this.tell('switch');
    const live = await lookAtLive(this.#options);
    if (live?.ofThisLog === true) await this.catchUp(live.position);
    await pool.query(`DROP SCHEMA IF EXISTS ${PREVIOUS} CASCADE`);
    const next = quote(this.#schema);
    await inTransaction(pool, async (client) => {
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
    });
    await tellEverybody(pool, this.position);
  }

  async parked(): Promise<number> {
    const { rows } = await this.#options.pool.query<{ parked: number }>(
      `SELECT count(*)::integer AS parked FROM ${quote(this.#schema)}.parked`,
    );
    return rows[0]?.parked ?? 0;
  }
}

const buildAndCompare = async (options: RebuildOptions) => {
  const work = new Rebuild(options, NEXT);
  const live = await lookAtLive(options);
  // Stop at the live position, since rows are compared there.
  await work.load(live?.ofThisLog === true ? live.position : await options.log.head());
  const { seconds } = work;
  const comparison = live?.ofThisLog === true ? await work.compareWithLive() : undefined;
  const { events, position } = work;
  const parked = await work.parked();
  return { work, live, built: { events, seconds, position, parked, comparison, switched: false } };
};

/**
 * Unless `despiteDifferences`, or other projection versions made the live ones.
 * @throws RebuildDiffers
 */
const demandEqual = (
  { despiteDifferences }: RebuildOptions,
  live: Live | undefined,
  comparison: Comparison | undefined,
): void => {
  const isDemanded = live?.sameFolds === true && despiteDifferences !== true;
  if (isDemanded && comparison?.equal === false) throw new RebuildDiffers(comparison);
};

/**
 * Rebuilds and switches.
 * @throws RebuildDiffers
 */
export const rebuild = (options: RebuildOptions): Promise<Rebuilt> =>
  alone(options.pool, async () => {
    const { work, live, built } = await buildAndCompare(options);
    demandEqual(options, live, built.comparison);
    // Live read models of other versions no longer move.
    if (live?.sameFolds === false) await work.catchUp(await options.log.head());
    const parked = await work.parked();
    await work.switchOver();
    const { events, position } = work;
    return { ...built, events, position, parked, switched: true };
  });

/**
 * Rebuilds into `read_next` and compares at the same position; kept for `switchToBuilt`.
 * @throws CannotStart if a rebuild is running
 */
export const buildBeside = (options: RebuildOptions): Promise<Rebuilt> =>
  alone(options.pool, async () => (await buildAndCompare(options)).built);

/**
 * Catches up the result of `buildBeside`, compares again and switches.
 * @throws RebuildDiffers; CannotStart if nothing was built or a rebuild is running
 */
export const switchToBuilt = (options: RebuildOptions): Promise<Comparison | undefined> =>
  alone(options.pool, async () => {
    const { rows } = await options.pool.query(`SELECT to_regclass('${NEXT}.checkpoint') AS it`);
    if (rows[0]?.it === null) throw new CannotStart('Nothing was built that could be switched to.');
    const work = new Rebuild(options, NEXT);
    await work.resume();
    const live = await lookAtLive(options);
    const comparison = live?.ofThisLog === true ? await work.compareWithLive() : undefined;
    demandEqual(options, live, comparison);
    await work.switchOver();
    return comparison;
  });

/** Rebuilds, compares at the same position, and drops the result. For tests. */
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
