/** What only concerns EventStoreDB: what its nodes do to those who use them, on loopback servers that do it. */
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { expect, test, vi } from 'vitest';
import { LogUnavailable, OutcomeUnknown, START } from '#infra/event-log/event-log.ts';
import { EventStoreDbLog, type EventStoreDbLogOptions } from '#infra/event-log/eventstoredb/event-log.ts';
import { takesAppends } from '#infra/event-log/takes-appends.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { NAMED } from './cutting-proxy.ts';
import { type EsdbCluster, startEsdbCluster } from './esdb-cluster.ts';
import { CERTIFICATE, encrypted, type NodeConduct, startEsdbServer } from './esdb-server.ts';
import { EsdbStore } from './esdb-store.ts';
import { lossyAt } from './harness.ts';
import { someEvent } from './writer.ts';

const opened = async (url: string, options: Partial<EventStoreDbLogOptions> = {}) => {
  const log = await EventStoreDbLog.open({ url, ...options });
  atTheEnd(() => log.close());
  return log;
};

/** A node, its store, and a log in it. */
const oneNode = async (options: Partial<EventStoreDbLogOptions> = {}, conduct: Partial<NodeConduct> = {}) => {
  const store = new EsdbStore();
  const server = await startEsdbServer(store, 0, conduct);
  atTheEnd(server.stop);
  return { store, url: server.url, log: await opened(server.url, options) };
};

/** Three nodes, and a log in them. */
const threeNodes = async (options: Partial<EventStoreDbLogOptions> = {}, more = '') => {
  const cluster: EsdbCluster = await startEsdbCluster();
  atTheEnd(cluster.stop);
  return { cluster, log: await opened(`${cluster.url}${more}`, options) };
};

const item = (stream: string, expected: 'none' | number = 'none') => ({
  stream,
  expected,
  events: [someEvent()],
});

/** Appends one event to a stream of its own until it stands. */
const untilItStands = (log: EventStoreDbLog, stream: string) => {
  const one = item(stream);
  return eventually(async () => expect((await log.append([one]))[0]?.ok).toBe(true));
};

test('a foreign event is named, and does not count as an outage', async () => {
  const { log, url } = await oneNode();
  await log.append([item('ours')]);
  const stranger = EventStoreDBClient.connectionString(url);
  await stranger.appendToStream('theirs', jsonEvent({ type: 'SomethingElse', data: { n: 1 } }));
  await stranger.dispose();
  const theirs = "theirs holds an event that isn't ours";
  await expect(Array.fromAsync(log.readAll(START))).rejects.toThrow(theirs);
  await expect(Array.fromAsync(log.readStream('theirs'))).rejects.toThrow(theirs);
  await expect(Array.fromAsync(log.subscribe(START))).rejects.toThrow(theirs);
  expect(await Array.fromAsync(log.readStream('ours'))).toHaveLength(1);
});

test('reading the end, and leaving a read early, keeps no stream open, of which a connection has a hundred', async () => {
  const { log } = await oneNode({ timeoutMs: 2_000 });
  // More than a client takes in before it is asked for.
  const events = Array.from({ length: 40 }, () => someEvent({ much: 'x'.repeat(2_000) }));
  await log.append([{ stream: 's-1', expected: 'none', events }]);
  for (let n = 0; n < 105; n += 1) {
    expect(await log.head()).not.toBe(START);
    for await (const _ of log.readAll(START, { pageSize: 1 })) break;
    for await (const _ of log.readStream('s-1')) break;
  }
  expect(await log.append([item('after')])).toMatchObject([{ ok: true }]);
});

test('the end is found behind any number of system events', async () => {
  const { log, store } = await oneNode();
  const [result] = await log.append([item('last-of-ours')]);
  const system = { ...someEvent(), type: '$statsCollected', contentType: 'application/json' };
  for (let n = 0; n < 200; n += 1)
    store.append('$stats-0', 'any', [{ ...system, data: new Uint8Array(), metadata: new Uint8Array() }]);
  expect(await log.head()).toBe(result?.ok && result.position);
});

test('a read from a node that never answers times out, and finding the end does not wait for it', async () => {
  const { cluster, log } = await threeNodes({ timeoutMs: 300 });
  for (const node of [0, 1, 2]) cluster.freeze(node);
  await expect(log.head()).rejects.toThrow(LogUnavailable);
  await expect(Array.fromAsync(log.readStream('any'))).rejects.toThrow(LogUnavailable);
  await log.append([item('frozen')]).catch((error) => expect(error.name).toMatch(/Unknown|Unavailable/));
  await log.close();
});

/** Follows a log until an event of a stream has come. What came is in `seen`, by its stream. While `pass` is held, nothing more is taken. */
const followed = (log: EventStoreDbLog, last: string) => {
  const seen: string[] = [];
  const follower = { seen, pass: Promise.resolve(), over: Promise.resolve() };
  follower.over = (async () => {
    for await (const { events } of log.subscribe(START)) {
      seen.push(...events.map(({ stream }) => stream));
      if (seen.includes(last)) return;
      await follower.pass;
    }
  })();
  return follower;
};

test('pushed events are not read again', async () => {
  let asked = 0;
  const { log } = await oneNode({ pollMs: 60_000 }, { asked: () => (asked += 1) });
  const { seen, over } = followed(log, 'last');
  const follows = async (stream: string) => {
    await log.append([item(stream)]);
    await eventually(() => expect(seen).toContain(stream));
  };
  let first = 0;
  // The first ones may come before the push subscription does.
  await eventually(async () => {
    const before = asked;
    first += 1;
    await follows(`first-${first}`);
    expect(asked).toBe(before);
  });
  const before = asked;
  for (let n = 0; n < 20; n += 1) await follows(`then-${n}`);
  expect(asked).toBe(before);
  await log.append([item('last')]);
  await over;
});

test('nothing is missed between two push subscriptions', async () => {
  const pushing = vi.spyOn(EsdbStore.prototype, 'onAppend');
  const { cluster, log } = await threeNodes({ timeoutMs: 1_500 });
  const other = await opened(cluster.url, { timeoutMs: 1_500 });
  const follower = followed(log, 'last');
  // Also a conflict says that it stands.
  const stands = (stream: string) => {
    const one = item(stream);
    return eventually(() => other.append([one]));
  };
  const seen = (stream: string) => eventually(() => expect(follower.seen).toContain(stream));
  await eventually(() => expect(pushing).toHaveBeenCalledTimes(1));
  await stands('first');
  await stands('pushed');
  await seen('pushed');
  const { promise, resolve } = Promise.withResolvers<void>();
  follower.pass = promise;
  await stands('taken');
  await seen('taken');
  await cluster.kill(0);
  cluster.elect();
  await stands('between');
  await eventually(() => expect(pushing).toHaveBeenCalledTimes(2));
  await stands('after');
  await stands('last');
  resolve();
  await follower.over;
  expect(follower.seen).toEqual(['first', 'pushed', 'taken', 'between', 'after', 'last']);
});

test('without a quorum nothing is written or broken, and all recovers when it is back', async () => {
  const { cluster, log } = await threeNodes({ timeoutMs: 1_500 });
  await untilItStands(log, 'before');
  const seen: string[] = [];
  const following = (async () => {
    for await (const { events } of log.subscribe(START)) {
      seen.push(...events.map(({ stream }) => stream));
      if (seen.includes('after')) return;
    }
  })();
  cluster.loseQuorum();
  await expect(log.append([item('refused'), item('refused-too')])).rejects.toThrow(LogUnavailable);
  await expect(log.head()).rejects.toThrow(LogUnavailable);
  await expect(takesAppends(log)).rejects.toThrow(LogUnavailable);
  // A process that starts meanwhile.
  await expect(EventStoreDbLog.open({ url: cluster.url, timeoutMs: 300 })).rejects.toThrow(LogUnavailable);
  cluster.elect();
  await untilItStands(log, 'after');
  await following;
  expect(seen.filter((stream) => stream.startsWith('refused'))).toEqual([]);
});

test('a conflict returns its events, however late reads see them', async () => {
  const { log, store, url } = await oneNode();
  store.lag = () => 60;
  const other = await opened(url);
  const results = await Promise.all([log, other, log].map((one) => one.append([item('fought-for')])));
  const tails = results.flat().flatMap((result) => (result.ok ? [] : [result.tail.length]));
  expect(tails).toEqual([1, 1]);
  const behind = await Promise.all([log.append([item('fought-for', 0)]), other.append([item('fought-for')])]);
  expect(behind).toMatchObject([[{ ok: true }], [{ ok: false, tail: [{ revision: 0 }, { revision: 1 }] }]]);
});

test('a conflict that cannot be read in time is an unknown outcome, and never lacks its events', async () => {
  const { log, store } = await oneNode({ timeoutMs: 200 });
  store.lag = () => 2_000;
  const first = log.append([item('late')]);
  first.catch(() => undefined);
  await expect(log.append([item('late')])).rejects.toThrow(OutcomeUnknown);
  await expect(first).rejects.toThrow(OutcomeUnknown);
});

test('a new leader makes the outcome of several appends unknown, and retries a single one', async () => {
  const { cluster, log } = await threeNodes();
  cluster.store.lag = () => 200;
  const written = log.append([item('written')]);
  written.catch(() => undefined);
  await eventually(() =>
    expect(cluster.store.append('written', 'no_stream', [])).toMatchObject({ ok: false }),
  );
  cluster.elect();
  const refused = log.append([item('refused')]);
  await expect(written).rejects.toThrow(OutcomeUnknown);
  await expect(refused).rejects.toThrow(OutcomeUnknown);
  cluster.store.lag = () => 0;
  await untilItStands(log, 'next');
  expect(await Array.fromAsync(log.readStream('written'))).toHaveLength(1);
  expect(await Array.fromAsync(log.readStream('refused'))).toHaveLength(0);

  cluster.elect();
  await expect(log.append([item('alone')])).rejects.toThrow(LogUnavailable);
  await untilItStands(log, 'alone');
});

test.each([-3_600_000, 3_600_000])(
  'a clock that is off by %i ms makes no append late',
  async (clockAhead) => {
    const { log } = await oneNode({}, { clockAhead });
    expect(await log.append([item('in-time')])).toMatchObject([{ ok: true }]);
  },
);

test.each(['frozen', 'dead'] as const)(
  'a client of a leader that is %s continues with the next one',
  async (how) => {
    // Only the search for another leader can end the wait.
    const { cluster, log } = await threeNodes({ timeoutMs: 600_000 }, '&keepAliveInterval=600000');
    await log.append([item('before')]);
    const gone = cluster.leader;
    if (how === 'frozen') cluster.freeze(gone);
    else await cluster.kill(gone);
    const doubtful = log.append([item('doubtful')]).catch((error) => error);
    const reading = Array.fromAsync(log.readStream('before')).catch((error) => error);
    // The others still take it for the leader, and alive.
    await new Promise((resolve) => setTimeout(resolve, 50));
    cluster.elect();
    expect(await doubtful).toBeInstanceOf(Error);
    await reading;
    await untilItStands(log, 'after');
    expect(await log.head()).not.toBe(START);
    cluster.thaw(gone);
    await cluster.revive(gone);
    await untilItStands(log, 'when-it-is-back');
  },
);

test('the only address can be that of a follower node', async () => {
  const { cluster } = await threeNodes();
  const nodes = /\/\/([^?]+)/.exec(cluster.url)?.[1]?.split(',') ?? [];
  const log = await opened(`esdb://${nodes[1]}?tls=false`);
  await untilItStands(log, 'elsewhere');
  cluster.elect(1);
  await untilItStands(log, 'here');
});

test('a read from a node that no longer leads continues at the leader', async () => {
  const { cluster, log } = await threeNodes();
  await log.append([item('before')]);
  for (const next of [1, 2, 0]) {
    cluster.elect(next);
    expect(await Array.fromAsync(log.readStream('before'))).toHaveLength(1);
  }
});

test('certificates of host names are verified, and a lost reply over TLS is an unknown outcome', async () => {
  const server = await startEsdbServer(new EsdbStore(), 0, {}, encrypted());
  atTheEnd(server.stop);
  const url = `esdb://site:s%40cret@${NAMED}:${server.port}?tlsCAFile=${encodeURIComponent(CERTIFICATE)}`;
  const lossy = await lossyAt(url, true);
  atTheEnd(() => lossy.close());
  expect(await lossy.log.append([item('before')])).toMatchObject([{ ok: true }]);
  lossy.loseReplyTo('lost');
  await expect(lossy.log.append([item('lost')])).rejects.toThrow(OutcomeUnknown);
  const read = () => Array.fromAsync(lossy.log.readStream('lost'));
  expect(await eventually(read)).toHaveLength(1);
  await expect(
    EventStoreDbLog.open({ url: `esdb://${NAMED}:${server.port}`, timeoutMs: 300 }),
  ).rejects.toThrow(LogUnavailable);
});
