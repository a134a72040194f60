/**
 * The kit of the projections' specs: given these events, the read models hold these rows. Every batch is
 * delivered twice, and `equalsRebuild` replays all from zero in other batches and compares row by row.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type AnyEvent, allEvents } from '#domain/all-events.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import type { Actor, Context } from '#infra/event-log/recorded.ts';
import { types } from '#infra/postgres/database.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { toIsoInstants } from '#infra/read-models/table.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { Engine } from '#projector/engine/engine.ts';
import type { Projection } from '#projector/engine/projection.ts';
import { createReadModels } from '#projector/engine/schema.ts';
import { projections as all } from '#projector/projections/all.ts';
import { type Comparison, describeComparison } from '#projector/rebuild/compare.ts';
import { compareWithRebuild } from '#projector/rebuild/rebuild.ts';
import { freshDatabase } from './database.ts';
import { atTheEnd } from './endings.ts';
import { createMemoryKeyStore } from './memory-keys.ts';
import { MemoryEventLog } from './memory-log.ts';

export interface Given {
  readonly stream: string;
  readonly event: AnyEvent;
  /** ISO instant; default `2026-06-01T12:00:00.000Z`. */
  readonly at?: string;
  /** Default: the system. */
  readonly actor?: Actor;
}

export const GIVEN_AT = '2026-06-01T12:00:00.000Z';

const SYSTEM: Actor = { kind: 'system' };

/** A city was added: the smallest event that makes a row. */
export const city = (cityId: number, name: string): Given => {
  const data = { cityId, name, state: 'England', country: 'UK', zone: 'Europe/London' };
  return { stream: `city-${cityId}`, event: { type: 'CityAdded', data } };
};

/** Opens the kit on a database of its own, until the spec ends. */
export const givenEvents = async (projections: readonly Projection[] = all, mostRows?: number) => {
  const url = await freshDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 8, types });
  pool.on('error', () => undefined /* the query under way reports it */);
  atTheEnd(() => pool.end());
  const log = new MemoryEventLog();
  const keys = createMemoryKeyStore();
  const codec = createCodec(keys, allEvents);
  await createReadModels(pool, LIVE, projections, log.id);
  const engine = new Engine({ pool, schema: LIVE, projections, codec, log, holder: null, mostRows });
  await engine.open();

  /** Appends, without projecting. */
  const append = async (...events: readonly Given[]): Promise<void> => {
    for (const { stream, event, at = GIVEN_AT, actor = SYSTEM } of events) {
      const context: Context = { commandId: randomUUID(), correlationId: randomUUID(), actor, at };
      const meta = await codec.encodeMeta(context);
      const encoded = await codec.encode(event, randomUUID(), stream, context, meta);
      await log.append([{ stream, expected: 'any', events: [encoded] }]);
    }
  };

  /** Projects what the log holds beyond the checkpoint, each batch twice. */
  const project = async (pageSize = 2): Promise<void> => {
    for await (const batch of log.readAll(engine.position, { pageSize })) {
      await engine.apply(await engine.decode(batch));
      await engine.apply(await engine.decode(batch));
    }
  };

  return {
    ...{ url, pool, log, keys, codec, engine, append, project },
    /** Appends and projects. */
    given: async (...events: readonly Given[]): Promise<void> => {
      await append(...events);
      await project();
    },
    /** A table's rows, by key. */
    rows: async <Name extends keyof ReadModels & string>(table: Name): Promise<ReadModels[Name][]> => {
      const { rows } = await pool.query<ReadModels[Name]>(`SELECT * FROM ${LIVE}.${table} ORDER BY 1`);
      for (const row of rows) toIsoInstants(row);
      return rows;
    },
    /** `'no row differs'`, or which do. */
    comparedWithRebuild: async (): Promise<string> => {
      const comparison: Comparison = await compareWithRebuild({ pool, log, codec, projections, pageSize: 7 });
      return describeComparison(comparison);
    },
  };
};

export type GivenEvents = Awaited<ReturnType<typeof givenEvents>>;
