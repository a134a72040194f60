/**
 * Builds the read models, live and in a rebuild: each batch moves the checkpoint, loads rows, folds and
 * writes in one transaction.
 */

import type pg from 'pg';
import type { Batch, EventLog, Position } from '#infra/event-log/event-log.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { type Decoded, Folding, type FoldingOptions, failed, type Parked, refusesRows } from './folding.ts';
import { type Changed, compareVersions, type VersionsDiffer } from './projection.ts';
import { quote } from './schema.ts';

export interface EngineOptions extends Omit<FoldingOptions, 'parksNewer'> {
  /** May use `synchronous_commit=off`: a crash loses rows and checkpoint together, and they are projected again. */
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'id'>;
  /** Lease holder, which alone can move the checkpoint; `null` without a lease, if nothing else writes the schema. */
  readonly holder: string | null;
  onCommitted?(position: Position, changed: Changed): void;
}

export interface DecodedBatch {
  readonly events: readonly Decoded[];
  readonly position: Position;
  /** Of the last event, also if it changes no row. */
  readonly recordedAt?: string | undefined;
}

/** Another process moved the checkpoint, took the lease or switched the schemas. Nothing was written; call `open` next. */
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

export class Engine {
  readonly #options: EngineOptions;
  readonly #schema: string;
  readonly #folding: Folding;
  #position: Position = '';
  #generation = 0;
  /** Keys of the parked events. */
  #blocked = new Set<string>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#schema = quote(options.schema);
    this.#folding = new Folding(options);
  }

  get position(): Position {
    return this.#position;
  }

  /**
   * Reads the checkpoint and the parked events. Call first, and after `CheckpointMoved`.
   * @throws OtherLogsCheckpoint, OtherVersions
   */
  async open(): Promise<void> {
    const { pool, schema, log, projections } = this.#options;
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
    // Read after the generation, which a retry of parked events raises.
    const parked = await pool.query<{ keys: string[] }>(`SELECT keys FROM ${this.#schema}.parked`);
    this.#position = checkpoint.position;
    this.#generation = Number(checkpoint.generation);
    this.#blocked = new Set(parked.rows.flatMap(({ keys }) => keys));
    this.#folding.clear();
  }

  /** Needs no checkpoint, so that a batch can be decoded while another is written. */
  async decode({ events, position }: Pick<Batch, 'events' | 'position'>): Promise<DecodedBatch> {
    const recordedAt = events.at(-1)?.recordedAt;
    return { events: await this.#folding.decode(events), position, recordedAt };
  }

  /**
   * Takes a batch of the events that `filterFor` selects in one transaction. If PostgreSQL refuses it, takes
   * event by event, and parks the refused ones. Idempotent.
   * @throws CheckpointMoved, or a transient failure
   */
  async apply({ events, position, recordedAt }: DecodedBatch): Promise<void> {
    const from = this.#position;
    if (position <= from) return;
    const fresh = events.filter(({ raw }) => raw.position > from);
    try {
      await this.#commit({ events: fresh, position, recordedAt });
    } catch (error) {
      if (!refusesRows(error)) throw error;
      const [event, ...others] = fresh;
      if (event === undefined) throw error;
      if (others.length === 0) return this.#commit({ events: [failed(event, error)], position, recordedAt });
      for (const one of fresh) {
        const { position: at, recordedAt: when } = one.raw;
        await this.apply({ events: [one], position: at, recordedAt: when });
      }
      await this.apply({ events: [], position, recordedAt });
    }
  }

  async #commit(batch: DecodedBatch): Promise<void> {
    try {
      const { changed, parked } = await inTransaction(this.#options.pool, async (client) => {
        await this.#move(client, batch);
        const taken = await this.#folding.take(client, batch.events, this.#blocked);
        if (taken.parked.length > 0) await this.#park(client, taken.parked);
        return taken;
      });
      this.#position = batch.position;
      for (const key of parked.flatMap(({ keys }) => keys)) this.#blocked.add(key);
      this.#options.onCommitted?.(batch.position, changed);
    } catch (error) {
      this.#folding.clear();
      throw error;
    }
  }

  /** First statement of the transaction: fails if the checkpoint was moved elsewhere, and locks others out. */
  async #move(client: pg.PoolClient, { position, recordedAt }: DecodedBatch): Promise<void> {
    const { rowCount } = await client.query({
      name: `${this.#options.schema}-move`,
      text: `UPDATE ${this.#schema}.checkpoint
        SET position = $1, event_at = coalesce($2::timestamptz, event_at), updated_at = clock_timestamp()
        WHERE position = $3 AND generation = $4 AND holder IS NOT DISTINCT FROM $5::uuid`,
      values: [position, recordedAt, this.#position, this.#generation, this.#options.holder],
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
