/**
 * How fast all read models are rebuilt, indexes included, from the log that real sales leave (`sales-mix.ts`),
 * against just reading that log.
 */
import { randomUUID } from 'node:crypto';
import { allEvents } from '#domain/all-events.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import type { EventLog, NewEvent } from '#infra/event-log/event-log.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { createPostgresKeyStore } from '#infra/keys/postgres.ts';
import { openProjectorPool } from '#projector/engine/schema.ts';
import { projections } from '#projector/projections/all.ts';
import { buildBeside, NEXT } from '#projector/rebuild/rebuild.ts';
import { type Row, row } from './row.ts';
import { type MixedEvent, salesMix } from './sales-mix.ts';
import type { Stage } from './stage.ts';
import { median } from './wire.ts';

const EVENTS = 200_000;
/** The middle one of so many rebuilds counts. */
const ROUNDS = 3;
const BATCH = 1_000;

/** Writes events through the codec, all or so many. Each batch's events are grouped by stream, as group commit does. */
export const fill = async (
  { log, codec }: Pick<Foundation, 'log' | 'codec'>,
  events: Iterator<MixedEvent>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> => {
  for (let written = 0; written < most; written += BATCH) {
    const streams = new Map<string, NewEvent[]>();
    for (let count = 0; count < BATCH; count++) {
      const next = events.next();
      if (next.done) break;
      const { stream, event, at, actor } = next.value;
      const context = { commandId: randomUUID(), correlationId: randomUUID(), actor, at };
      const meta = await codec.encodeMeta(context);
      const encoded = await codec.encode(event, randomUUID(), stream, context, meta);
      streams.set(stream, [...(streams.get(stream) ?? []), encoded]);
    }
    if (streams.size === 0) return;
    await log.append([...streams].map(([stream, added]) => ({ stream, expected: 'any', events: added })));
  }
};

const justRead = async (log: EventLog): Promise<number> => {
  const started = performance.now();
  let events = 0;
  for await (const batch of log.readAll('', { pageSize: 5_000 })) events += batch.events.length;
  return events / ((performance.now() - started) / 1_000);
};

export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url, 'baseline');
  const { log } = foundation;
  const pool = openProjectorPool(url, (error) => console.error(error.message));
  const masterKey = new Uint8Array(32);
  const writer = createPostgresKeyStore({ pool, masterKey });
  try {
    await fill({ log, codec: createCodec(writer, allEvents) }, salesMix(), EVENTS);
    await pool.query('CHECKPOINT');
    const read = Math.max(await justRead(log), await justRead(log));
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // Nothing in hand from writing: the keys are fetched and unwrapped as after a start.
      const keys = createPostgresKeyStore({ pool, masterKey });
      const codec = createCodec(keys, allEvents);
      const rebuilt = await buildBeside({ pool, log, codec, projections });
      if (rebuilt.position !== (await log.head())) throw new Error('the rebuild ended before the log');
      if (rebuilt.parked > 0) throw new Error(`${rebuilt.parked} events were parked`);
      rates.push(EVENTS / rebuilt.seconds);
      await keys.close();
    }
    await pool.query(`DROP SCHEMA ${NEXT} CASCADE`);
    const rebuild = median(rates);
    return [
      row(`just reading a log of ${EVENTS.toLocaleString('en-GB')} events`, read, 'events/s'),
      row('rebuild of all read models from it, indexes included', rebuild, 'events/s'),
      row('ratio to just reading', rebuild / read, '×'),
    ];
  } finally {
    await writer.close();
    await pool.end();
  }
};
