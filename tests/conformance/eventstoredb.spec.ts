/** What only concerns EventStoreDB: a store may hold what others put there. */
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { START } from '#infra/event-log/event-log.ts';
import { EventStoreDbLog } from '#infra/event-log/eventstoredb.ts';
import { type EsdbServer, startEsdbServer } from './esdb-server.ts';
import { someEvent } from './writer.ts';

let server: EsdbServer;
let log: EventStoreDbLog;
beforeAll(async () => {
  server = await startEsdbServer();
  log = await EventStoreDbLog.open({ url: server.url });
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

test('an event that is not ours is named, and not taken for a store that is away', async () => {
  await log.append([{ stream: 'ours', expected: 'none', events: [someEvent()] }]);
  const stranger = EventStoreDBClient.connectionString(server.url);
  await stranger.appendToStream('theirs', jsonEvent({ type: 'SomethingElse', data: { n: 1 } }));
  await stranger.dispose();
  const theirs = "theirs holds an event that isn't ours";
  await expect(Array.fromAsync(log.readAll(START))).rejects.toThrow(theirs);
  await expect(Array.fromAsync(log.readStream('theirs'))).rejects.toThrow(theirs);
  await expect(Array.fromAsync(log.subscribe(START))).rejects.toThrow(theirs);
  expect(await Array.fromAsync(log.readStream('ours'))).toHaveLength(1);
});
