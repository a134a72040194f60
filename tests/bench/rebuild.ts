/**
 * How fast all read models are rebuilt, indexes included, from the log that real sales leave (`sales-mix.ts`),
 * against just reading that log.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allEvents } from '#domain/all-events.ts';
import { type Codec, createCodec } from '#infra/event-log/codec.ts';
import type { EventLog, NewEvent } from '#infra/event-log/event-log.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { createPostgresKeyStore } from '#infra/keys/postgres.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { openProjectorPool } from '#projector/engine/schema.ts';
import { projections } from '#projector/projections/all.ts';
import { buildBeside, NEXT } from '#projector/rebuild/rebuild.ts';
import { print, type Row } from './row.ts';
import { salesMix } from './sales-mix.ts';

export interface RebuildBenchOptions {
  /** An empty database, which the caller drops. Default: a PostgreSQL of our own, with fsync on. */
  readonly url?: string;
  readonly events?: number;
  /** The middle one of so many rebuilds counts. */
  readonly rounds?: number;
}

const BATCH = 1_000;

/** Writes the mix through the codec. Each batch's events are grouped by stream, as group commit does. */
export const fillWithSales = async (
  log: EventLog,
  codec: Codec,
  events: number,
  mix = salesMix(),
): Promise<void> => {
  let written = 0;
  while (written < events) {
    const streams = new Map<string, NewEvent[]>();
    for (let count = 0; count < BATCH; count++) {
      const { stream, event, at, actor } = mix.next().value;
      const context = { commandId: randomUUID(), correlationId: randomUUID(), actor, at };
      const encoded = await codec.encode(
        event,
        randomUUID(),
        stream,
        context,
        await codec.encodeMeta(context),
      );
      const known = streams.get(stream);
      if (known) known.push(encoded);
      else streams.set(stream, [encoded]);
    }
    await log.append([...streams].map(([stream, added]) => ({ stream, expected: 'any', events: added })));
    written += BATCH;
  }
};

const justRead = async (log: EventLog): Promise<number> => {
  const started = performance.now();
  let events = 0;
  for await (const batch of log.readAll('', { pageSize: 5_000 })) events += batch.events.length;
  return events / ((performance.now() - started) / 1_000);
};

const measure = async (url: string, events: number, rounds: number): Promise<Row[]> => {
  await migrate(url);
  const pool = openProjectorPool(url, (error) => console.error(error.message));
  const log = await PostgresEventLog.open({ url });
  const masterKey = new Uint8Array(32);
  const writer = createPostgresKeyStore({ pool, masterKey });
  try {
    await fillWithSales(log, createCodec(writer, allEvents), events);
    await pool.query('CHECKPOINT');
    const read = Math.max(await justRead(log), await justRead(log));
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // Nothing in hand from writing: the keys are fetched and unwrapped as after a start.
      const keys = createPostgresKeyStore({ pool, masterKey });
      const codec = createCodec(keys, allEvents);
      const rebuilt = await buildBeside({ pool, log, codec, projections });
      if (rebuilt.position !== (await log.head())) throw new Error('the rebuild ended before the log');
      if (rebuilt.parked > 0) throw new Error(`${rebuilt.parked} events were parked`);
      rates.push(events / rebuilt.seconds);
      await keys.close();
    }
    await pool.query(`DROP SCHEMA ${NEXT} CASCADE`);
    const rebuild = rates.sort((a, b) => a - b)[rates.length >> 1] ?? 0;
    return [
      {
        what: `just reading a log of ${events.toLocaleString('en-GB')} events`,
        figure: read,
        unit: 'events/s',
      },
      { what: 'rebuild of all read models from it, indexes included', figure: rebuild, unit: 'events/s' },
      { what: 'ratio to just reading', figure: rebuild / read, unit: '×' },
    ];
  } finally {
    await writer.close();
    await log.close();
    await pool.end();
  }
};

/** Measures; takes about half a minute. */
export const run = async ({
  url,
  events = 200_000,
  rounds = 3,
}: RebuildBenchOptions = {}): Promise<Row[]> => {
  if (url) return measure(url, events, rounds);
  const folder = await mkdtemp(join(tmpdir(), 'reprise-bench-'));
  await chmod(folder, 0o755);
  const server = await startEmbedded({ dataDir: join(folder, 'postgres') });
  try {
    return await measure(server.url, events, rounds);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) print(await run());
