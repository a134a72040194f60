/**
 * The log in EventStoreDB against that store's own client, in turns on the same server: one that is given (`--store`), or the
 * loopback server in a process of its own, which costs the processor and no disk.
 */
import { randomUUID } from 'node:crypto';
import { BACKWARDS, binaryEvent, END, EventStoreDBClient } from '@eventstore/db-client';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { EventStoreDbLog } from '#infra/event-log/eventstoredb/event-log.ts';
import { copyLog } from '#infra/start/copy-log.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { Program } from '#tests/kit/program.ts';
import { rate, someEvent } from './append.ts';
import type { Row } from './row.ts';

const CALLERS = 64;
const TURNS = 3;
/** Milliseconds a turn. */
const TURN = 1_500;
/** Events that are read, and that are copied. */
const READ = 20_000;
const COPIED = 10_000;
const STREAMS = 50;

const item = () => ({ stream: `bench-${randomUUID()}`, expected: 'none' as const, events: [someEvent()] });

/** One event with the client alone, as its users write it: the same bytes. */
const bareAppend = (client: EventStoreDBClient) => async () => {
  const { id, type, data, meta } = someEvent();
  const metadata = Buffer.from(JSON.stringify({ meta, version: 1, recordedAt: new Date().toISOString() }));
  const event = binaryEvent({ id, type, data: Buffer.from(data), metadata });
  await client.appendToStream(`bench-${randomUUID()}`, event, { expectedRevision: 'no_stream' });
  return 1;
};

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};

/** Reads so many events from the end of `$all` back, which every store has. */
const bareRead = async (client: EventStoreDBClient, events: number): Promise<void> => {
  let read = 0;
  for await (const _ of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: events }))
    read += 1;
  if (read < events) throw new Error(`only ${read} events are there`);
};

const ourRead = async (log: EventLog, after: string, events: number): Promise<void> => {
  let read = 0;
  for await (const batch of log.readAll(after)) {
    read += batch.events.length;
    if (read >= events) return;
  }
  throw new Error(`only ${read} events are there`);
};

/** A log in memory whose events are spread over streams, as a sale's are. */
const toCopy = async (): Promise<MemoryEventLog> => {
  const log = new MemoryEventLog();
  for (let n = 0; n < COPIED; n += 1)
    await log.append([
      { stream: `copied-${randomUUID().slice(0, 8)}-${n % STREAMS}`, expected: 'any', events: [someEvent()] },
    ]);
  return log;
};

const measure = async (url: string): Promise<Row[]> => {
  const log = await EventStoreDbLog.open({ url });
  const client = EventStoreDBClient.connectionString(url);
  const rows: Row[] = [];
  const row = (what: string, figure: number, unit = 'events/s') => rows.push({ what, figure, unit });
  try {
    const appended = { ours: 0, bare: 0 };
    const ours = async () => (await log.append([item()])).length;
    for (let turn = 0; turn < TURNS; turn += 1) {
      appended.bare += (await rate(CALLERS, TURN, bareAppend(client))) / TURNS;
      appended.ours += (await rate(CALLERS, TURN, ours)) / TURNS;
    }
    row(`EventStoreDB: append of one event, ${CALLERS} callers, its client`, appended.bare);
    row(`EventStoreDB: append of one event, ${CALLERS} callers, Reprise`, appended.ours);
    row('EventStoreDB: appends, ratio', appended.ours / appended.bare, '×');

    const before = await log.head();
    const many = Array.from({ length: READ / 100 }, () => ({
      ...item(),
      events: Array.from({ length: 100 }, someEvent),
    }));
    await log.append(many);
    const read = { ours: 0, bare: 0 };
    for (let turn = 0; turn < TURNS; turn += 1) {
      read.bare += READ / (await seconds(() => bareRead(client, READ))) / TURNS;
      read.ours += READ / (await seconds(() => ourRead(log, before, READ))) / TURNS;
    }
    row('EventStoreDB: reading, its client', read.bare);
    row('EventStoreDB: reading, Reprise', read.ours);
    row('EventStoreDB: reading, ratio', read.ours / read.bare, '×');
    return rows;
  } finally {
    await log.close();
    client.dispose().catch(() => undefined);
  }
};

/** How fast a log is copied into the store, the comparison in the end left out. The store must be empty. */
const copying = async (url: string): Promise<Row> => {
  const from = await toCopy();
  const to = await EventStoreDbLog.open({ url, inOrder: true });
  const comparing = Promise.withResolvers<number>();
  const began = performance.now();
  try {
    await copyLog(from, to, {
      inFlight: 256,
      say: (line) => line === 'comparing' && comparing.resolve((performance.now() - began) / 1_000),
    });
    return { what: 'EventStoreDB: log:copy', figure: COPIED / (await comparing.promise), unit: 'events/s' };
  } finally {
    await to.close();
  }
};

/** Measures on the loopback server, or on the one at `url`, which must be empty. */
export const run = async (url: string | undefined): Promise<Row[]> => {
  if (url) return [await copying(url), ...(await measure(url))];
  const servers = [1, 2].map(() => new Program('tests/conformance/esdb-main.ts', { held: false, env: {} }));
  try {
    const [used = '', empty = ''] = await Promise.all(
      servers.map(async (server) => (await server.says(/^at (\S+)$/m))[1]),
    );
    const rows = await measure(used);
    return [...rows, await copying(empty)];
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
  }
};
