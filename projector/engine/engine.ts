/**
 * Writes a batch's rows and checkpoint in one transaction; the next batch is folded meanwhile. Live read
 * models and rebuilds share it.
 */

import type pg from 'pg';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { type Folded, Folding, type Parked, refusesRows, writeFolded } from './folding.ts';
import {
  type Changed,
  compareVersions,
  filterFor,
  type Projection,
  type VersionsDiffer,
} from './projection.ts';
import { quote } from './schema.ts';

export interface EngineOptions {
  /** May use `synchronous_commit=off`: a crash loses rows and checkpoint together, and they are projected again. */
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly projections: readonly Projection[];
  readonly codec: Codec;
  /** Events are read again to find the one whose rows PostgreSQL refuses. */
  readonly log: EventLog;
  /** Lease holder, which alone can move the checkpoint; `null` without a lease, if nothing else writes the schema. */
  readonly holder: string | null;
  readonly cacheRows?: number | undefined;
  readonly writeEvery?: number;
  /** Tables start empty with no other writer, as in a rebuild: skip loading rows never written. */
  readonly fromEmpty?: boolean;
  onCommitted?(position: Position, changed: Changed): void;
}

interface Pending extends Folded {
  readonly from: Position;
  readonly to: Position;
  readonly eventAt: string | null;
}

/** Another process moved the checkpoint or took the lease. Nothing was written; call `open` next. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
  constructor() {
    super('the checkpoint was moved by somebody else');
  }
}

/** The read models belong to another log; this one's events must not be projected into them. */
export class OtherLogsCheckpoint extends CannotStart {
  override readonly name = 'OtherLogsCheckpoint';
  constructor(schema: string, theirs: string, ours: string) {
    super(
      `The read models in "${schema}" were made from log ${theirs}, but this is log ${ours}. ` +
        'Point EVENT_STORE_URL and DATABASE_URL at the same installation, or run "npm run rebuild".',
    );
  }
}

/** Other projection versions made the read models: rebuild older ones; leave newer ones to a newer program. */
export class OtherVersions extends Error {
  override readonly name = 'OtherVersions';
  readonly madeBy: VersionsDiffer['madeBy'];
  constructor(schema: string, { names, madeBy }: VersionsDiffer) {
    const made = `The read models in "${schema}" were made by`;
    const all = names.join(', ');
    super(
      madeBy === 'older'
        ? `${made} an older version of ${all}: run "npm run rebuild".`
        : `${made} a newer version of ${all}, and wait for its projector. To go back to this one: npm run rebuild -- --switch-back`,
    );
    this.madeBy = madeBy;
  }
}

class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
  readonly to: Position;
  constructor(to: Position, cause: unknown) {
    super('PostgreSQL refused the rows of a batch', { cause });
    this.to = to;
  }
}

const judged = (error: unknown, to: Position): unknown =>
  refusesRows(error) ? new BatchRefused(to, error) : error;

export class Engine {
  readonly #options: EngineOptions;
  readonly #schema: string;
  readonly #folding: Folding;
  #folded: Position = '';
  #written: Position = '';
  #committed: Position = '';
  #waiting = 0;
  #eventAt: string | null = null;
  #generation = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: EngineOptions) {
    const { projections, schema, codec, cacheRows = 20_000, fromEmpty = false } = options;
    this.#options = options;
    this.#schema = quote(schema);
    this.#folding = new Folding({ projections, schema, codec, cacheRows, fromEmpty });
  }

  get position(): Position {
    return this.#committed;
  }

  /**
   * Loads checkpoint and parked events, and clears the row cache. Call first and after each failure.
   * @throws OtherLogsCheckpoint, OtherVersions
   */
  async open(): Promise<void> {
    const { pool, schema, log, projections, fromEmpty } = this.#options;
    await this.#writing.catch(() => undefined /* it was thrown to whoever waited for it */);
    this.#writing = Promise.resolve();
    const { rows } = await pool.query<{
      log_id: string;
      position: Position;
      generation: string | number;
      versions: Record<string, number>;
    }>(`SELECT log_id, position, generation, versions FROM ${this.#schema}.checkpoint`);
    const [checkpoint] = rows;
    if (checkpoint === undefined) throw new Error(`the read models in "${schema}" have no checkpoint`);
    if (checkpoint.log_id !== log.id) throw new OtherLogsCheckpoint(schema, checkpoint.log_id, log.id);
    const differ = compareVersions(projections, checkpoint.versions);
    if (differ) throw new OtherVersions(schema, differ);
    const parked = await pool.query<{ keys: string[] }>(`SELECT keys FROM ${this.#schema}.parked`);
    this.#generation = Number(checkpoint.generation);
    const untouched = fromEmpty === true && this.#folded === '' && checkpoint.position === '';
    this.#folded = checkpoint.position;
    this.#written = checkpoint.position;
    this.#waiting = 0;
    this.#committed = checkpoint.position;
    if (!untouched) this.#folding.reset(parked.rows.flatMap(({ keys }) => keys));
  }

  /**
   * `filterFor` selects the events; `to` is the batch's end. On return rows may still be unwritten; see
   * `settle`. Idempotent. Events whose rows PostgreSQL refuses are parked.
   * @throws CheckpointMoved, or a transient failure; call `open` before the next batch
   */
  async apply(records: readonly RecordedEvent[], to: Position): Promise<void> {
    try {
      await this.#apply(records, to);
    } catch (error) {
      await this.#recover(error);
      await this.apply(records, to);
    }
  }

  /**
   * Resolves when everything folded is committed.
   * @throws as `apply`
   */
  async settle(): Promise<void> {
    try {
      await this.#flush();
      await this.#writing;
    } catch (error) {
      await this.#recover(error);
      await this.settle();
    }
  }

  async #apply(records: readonly RecordedEvent[], to: Position): Promise<void> {
    if (this.#folding.full) {
      await this.#flush();
      await this.#writing;
      this.#folding.forgetOld();
    }
    const from = this.#folded;
    if (to <= from) return;
    const fresh = records.filter(({ position }) => position > from);
    await this.#folding.fold(fresh, this.#options.pool).catch((error: unknown) => {
      throw judged(error, to);
    });
    this.#folded = to;
    this.#waiting += fresh.length;
    this.#eventAt = fresh.at(-1)?.recordedAt ?? this.#eventAt;
    if (this.#waiting >= (this.#options.writeEvery ?? 1) || fresh.length === 0) await this.#flush();
  }

  /** Starts after the previous write has committed. */
  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#folded === this.#written) return;
    const batch = {
      ...this.#folding.collect(),
      from: this.#written,
      to: this.#folded,
      eventAt: this.#eventAt,
    };
    this.#written = this.#folded;
    this.#waiting = 0;
    this.#writing = this.#commit(batch).catch((error: unknown) => {
      throw judged(error, batch.to);
    });
    // The next `apply` or `settle` throws it; avoid an unhandled rejection until then.
    this.#writing.catch(() => undefined);
  }

  /** Bisects a refused batch's uncommitted events to isolate and park the culprit. */
  async #recover(error: unknown): Promise<void> {
    if (!(error instanceof BatchRefused)) throw error;
    const { to } = error;
    const { log, projections } = this.#options;
    await this.open();
    const records: RecordedEvent[] = [];
    for await (const { events } of log.readAll(this.#folded, { until: to, filter: filterFor(projections) }))
      records.push(...events);
    await this.#takeInHalves(records, to);
  }

  async #takeInHalves(records: readonly RecordedEvent[], to: Position): Promise<void> {
    const middle = records.length >> 1;
    const parts = [records.slice(0, middle), records.slice(middle)].filter((part) => part.length > 0);
    for (const part of parts) {
      const end = part === parts.at(-1) ? to : (part.at(-1)?.position ?? to);
      try {
        await this.#apply(part, end);
        await this.#flush();
        await this.#writing;
      } catch (error) {
        if (!(error instanceof BatchRefused)) throw error;
        await this.open();
        const [only] = part;
        if (part.length > 1) await this.#takeInHalves(part, end);
        else if (only !== undefined) await this.#parkAlone(only, end, error.cause);
      }
    }
  }

  async #parkAlone(record: RecordedEvent, to: Position, cause: unknown): Promise<void> {
    await this.#folding.park(record, cause);
    this.#folded = to;
    await this.#flush();
    await this.#writing;
  }

  async #commit(batch: Pending): Promise<void> {
    await inTransaction(this.#options.pool, async (client) => {
      await this.#move(client, batch);
      await writeFolded(client, batch, this.#options);
      if (batch.parked.length > 0) await this.#park(client, batch.parked);
    });
    this.#committed = batch.to;
    this.#options.onCommitted?.(batch.to, batch.changed);
  }

  /** First statement of the transaction: fails if the checkpoint was moved elsewhere, and locks others out. */
  async #move(client: pg.PoolClient, { from, to, eventAt }: Pending): Promise<void> {
    const { rowCount } = await client.query({
      name: `${this.#options.schema}-move`,
      text: `UPDATE ${this.#schema}.checkpoint
        SET position = $1, event_at = coalesce($2::timestamptz, event_at), updated_at = clock_timestamp()
        WHERE position = $3 AND generation = $4 AND holder IS NOT DISTINCT FROM $5::uuid`,
      values: [to, eventAt, from, this.#generation, this.#options.holder],
    });
    if (rowCount !== 1) throw new CheckpointMoved();
  }

  async #park(client: pg.PoolClient, parked: readonly Parked[]): Promise<void> {
    await client.query(
      `INSERT INTO ${this.#schema}.parked (position, event_id, type, stream, revision, keys, error)
        SELECT * FROM jsonb_to_recordset($1::jsonb)
          AS p(position text, event_id uuid, type text, stream text, revision bigint, keys jsonb, error text)`,
      [
        JSON.stringify(
          parked.map(({ raw, keys, error }) => ({
            position: raw.position,
            event_id: raw.id,
            type: raw.type,
            stream: raw.stream,
            revision: raw.revision,
            keys,
            error,
          })),
        ),
      ],
    );
  }
}
