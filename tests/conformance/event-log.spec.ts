/** What the port to the log promises, held against every adapter alike. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toPosition } from '#infra/event-log/batch.ts';
import { fromToken, toToken } from '#infra/event-log/checkpoint.ts';
import {
  type Append,
  type Batch,
  BeyondTheEnd,
  type EventLog,
  EventTooLarge,
  LARGEST_EVENT,
  LogUnavailable,
  OutcomeUnknown,
  type RecordedEvent,
  START,
} from '#infra/event-log/event-log.ts';
import { takesAppends } from '#infra/event-log/takes-appends.ts';
import { withFaults } from '#tests/kit/faulty-log.ts';
import { isWhole } from '#tests/kit/sweep.ts';
import { harnesses, type Store } from './harness.ts';
import { someEvent, write } from './writer.ts';

const ids = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

/** Everything after a position, as one list. */
const everything = async (log: EventLog, after = START, pageSize = 1_000): Promise<RecordedEvent[]> =>
  (await Array.fromAsync(log.readAll(after, { pageSize }))).flatMap(({ events }) => events);

/** Reads a subscription until `enough` says so, then ends it. */
const follow = async (
  log: EventLog,
  after: string,
  enough: (events: readonly RecordedEvent[], batch: Batch) => boolean | Promise<boolean>,
  options: { pageSize?: number } = {},
): Promise<RecordedEvent[]> => {
  const stop = new AbortController();
  const seen: RecordedEvent[] = [];
  for await (const batch of log.subscribe(after, { ...options, signal: stop.signal })) {
    seen.push(...batch.events);
    if (await enough(seen, batch)) stop.abort();
  }
  return seen;
};

describe.each(harnesses.map((harness) => ({ ...harness })))('the log in $name', (harness) => {
  if (harness.skipped) {
    test.skip(`skipped, because ${harness.skipped}`, () => undefined);
    return;
  }
  let store: Store;
  let log: EventLog;
  let stream: string;

  beforeAll(async () => {
    store = await harness.start();
    log = await store.open();
  });
  afterAll(async () => {
    await log?.close();
    await store?.stop();
  });
  beforeEach(() => {
    stream = `subject-${randomUUID()}`;
  });

  const appendOne = async (item: Partial<Append> & { stream: string }) => {
    const [result] = await log.append([{ expected: 'none', events: [someEvent()], ...item }]);
    if (!result) throw new Error('no result');
    return result;
  };

  test('one of several concurrent appends creates a stream, and the others get its event', async () => {
    const attempts = Array.from({ length: 8 }, () => someEvent());
    const results = await Promise.all(attempts.map((event) => appendOne({ stream, events: [event] })));
    const winners = results.flatMap((result, index) => (result.ok ? [index] : []));
    expect(winners).toHaveLength(1);
    const winner = attempts[winners[0] ?? -1]?.id;
    for (const result of results) if (!result.ok) expect(ids(result.tail)).toEqual([winner]);
    expect(ids(await Array.fromAsync(log.readStream(stream)))).toEqual([winner]);
  });

  test("an append expecting 'none' that competes with 'any' succeeds only as the stream's first event", async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `${stream}-${round}`;
      const created = someEvent();
      const others = Array.from({ length: 4 }, () => someEvent());
      const appends = others.map((event) => appendOne({ stream: name, expected: 'any', events: [event] }));
      appends.splice(round, 0, appendOne({ stream: name, events: [created] }));
      const results = await Promise.all(appends);
      const stands = ids(await Array.fromAsync(log.readStream(name)));
      const won = results[round]?.ok === true;
      expect(stands.toSorted()).toEqual(ids(won ? [created, ...others] : others).toSorted());
      expect(stands.indexOf(created.id)).toBe(won ? 0 : -1);
    }
  });

  test("an append expecting 'any' succeeds on a new stream and on an old one", async () => {
    expect(await appendOne({ stream, expected: 'any' })).toMatchObject({ ok: true, revision: 0 });
    expect(await appendOne({ stream, expected: 'any', events: [someEvent(), someEvent()] })).toMatchObject({
      ok: true,
      revision: 2,
    });
  });

  test('a conflict returns every later event and writes nothing', async () => {
    const first = [someEvent(), someEvent(), someEvent()];
    await appendOne({ stream, events: first });
    const none = await appendOne({ stream });
    const behind = await appendOne({ stream, expected: 0 });
    const ahead = await appendOne({ stream, expected: 9 });
    expect(none.ok || ids(none.tail)).toEqual(ids(first));
    expect(behind.ok || ids(behind.tail)).toEqual(ids(first.slice(1)));
    expect(ahead).toEqual({ ok: false, tail: [] });
    expect(await appendOne({ stream: `${stream}-absent`, expected: 0 })).toEqual({ ok: false, tail: [] });
    expect(ids(await Array.fromAsync(log.readStream(stream)))).toEqual(ids(first));
    expect(await Array.fromAsync(log.readStream(`${stream}-absent`))).toEqual([]);
  });

  test('the check for writability writes nothing', async () => {
    const before = await log.head();
    await takesAppends(log);
    expect(await everything(log, before)).toEqual([]);
    await expect(takesAppends(withFaults(log, ['unavailable']))).rejects.toThrow(LogUnavailable);
  });

  test('an append without the revision check, which only specs may skip, succeeds on any revision', async () => {
    const unsafe = await store.open({ unsafelySkipRevisionCheck: true });
    await appendOne({ stream, events: [someEvent(), someEvent()] });
    const results = await unsafe.append([
      { stream, expected: 'none', events: [someEvent()] },
      { stream: `${stream}-new`, expected: 5, events: [someEvent()] },
    ]);
    expect(results).toMatchObject([
      { ok: true, revision: 2 },
      { ok: true, revision: 0 },
    ]);
    await unsafe.close();
  });

  test('each item of a batch succeeds or fails by itself', async () => {
    await appendOne({ stream });
    const results = await log.append([
      { stream: `${stream}-a`, expected: 'none', events: [someEvent()] },
      { stream, expected: 'none', events: [someEvent()] },
      { stream: `${stream}-b`, expected: 3, events: [someEvent()] },
      { stream: `${stream}-c`, expected: 'any', events: [someEvent(), someEvent()] },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false, true]);
    expect(await Array.fromAsync(log.readStream(`${stream}-b`))).toEqual([]);
    const [a, , , c] = results;
    for (const [name, result] of [
      ['a', a],
      ['c', c],
    ] as const) {
      const last = (await Array.fromAsync(log.readStream(`${stream}-${name}`))).at(-1);
      expect(result).toEqual({ ok: true, revision: last?.revision, position: last?.position });
    }
    await expect(log.append([{ stream, expected: 'any', events: [] }])).rejects.toThrow(TypeError);
    const twice = { stream, expected: 'any', events: [someEvent()] } as const;
    await expect(log.append([twice, { ...twice, events: [someEvent()] }])).rejects.toThrow(TypeError);
    expect(await log.append([])).toEqual([]);
  });

  test('events are read by positions in the order asked for, without missing ones', async () => {
    const other = `${stream}-other`;
    await appendOne({ stream, events: [someEvent(), someEvent(), someEvent()] });
    await appendOne({ stream: other });
    const [first, , third] = await Array.fromAsync(log.readStream(stream));
    const [only] = await Array.fromAsync(log.readStream(other));
    const places = [
      { stream, revision: 2 },
      { stream: other, revision: 1 },
      { stream: other, revision: 0 },
      { stream: `${stream}-none`, revision: 0 },
      { stream, revision: 0 },
    ];
    expect(await log.readEach(places)).toEqual([third, only, first]);
    expect(await log.readEach([])).toEqual([]);
  });

  test('batches can be large', async () => {
    const before = await log.head();
    const many = Array.from({ length: 300 }, (_, n) => ({
      stream: `${stream}-${n}`,
      expected: 'none' as const,
      events: [someEvent({ n }), someEvent({ n })],
    }));
    const results = await log.append(many);
    expect(results.every((result) => result.ok && result.revision === 1)).toBe(true);
    const long = Array.from({ length: 1_200 }, (_, n) => someEvent({ n }));
    expect(await appendOne({ stream, events: long })).toMatchObject({ ok: true, revision: 1_199 });
    expect(ids(await Array.fromAsync(log.readStream(stream)))).toEqual(ids(long));
    // As heavy as the command handler lets one stream's part of a call become.
    const meta = JSON.stringify({
      actor: { kind: 'user', role: 'user', id: randomUUID() },
      at: 'x'.repeat(200),
    });
    const heavy = Array.from({ length: 1_200 }, (_, n) => ({ ...someEvent({ n }), meta }));
    heavy.push({ ...someEvent(), data: JSON.stringify({ big: 'x'.repeat(LARGEST_EVENT - 300) }) });
    expect(await appendOne({ stream: `${stream}-heavy`, events: heavy })).toMatchObject({ revision: 1_200 });
    expect(ids(await everything(log, before)).sort()).toEqual(
      ids([...many.flatMap(({ events }) => events), ...long, ...heavy]).sort(),
    );
  });

  test('an event is read as it was appended, byte for byte', async () => {
    const bytes = 'x'.repeat(LARGEST_EVENT - 300);
    const events = [
      {
        ...someEvent(),
        version: 7,
        type: 'Größe',
        data: '{"z":1,"a":{"é":"Łódź 🎭 \\u0000 \\"\\\\"}}',
        meta: '{ "b":  1.0 }',
      },
      { ...someEvent(), data: `{"big":"${bytes}"}` },
      { ...someEvent(), data: `{"wide":"${'ź'.repeat(90_000)}"}` },
    ];
    const start = Date.now();
    await appendOne({ stream, events });
    const read = await Array.fromAsync(log.readStream(stream));
    expect(read).toMatchObject(events.map((event, revision) => ({ ...event, stream, revision })));
    for (const { recordedAt } of read) {
      expect(recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.parse(recordedAt) - start)).toBeLessThan(600_000);
    }
    expect((await everything(log, read[0]?.position)).slice(0, 2)).toEqual(read.slice(1));

    const tooLarge = { ...someEvent(), data: `{"wide":"${'ź'.repeat(LARGEST_EVENT / 2)}"}` };
    const refused = log.append([
      { stream: `${stream}-small`, expected: 'none', events: [someEvent()] },
      { stream: `${stream}-large`, expected: 'none', events: [tooLarge] },
    ]);
    await expect(refused).rejects.toThrow(EventTooLarge);
    expect(await Array.fromAsync(log.readStream(`${stream}-small`))).toEqual([]);
  });

  test('the time at which another log recorded an event is kept', async () => {
    const recordedAt = '2024-02-29T23:59:59.070Z';
    await appendOne({ stream, events: [{ ...someEvent(), recordedAt }] });
    expect(await Array.fromAsync(log.readStream(stream))).toMatchObject([{ recordedAt }]);
  });

  test('a stream is read from any revision, forwards and backwards', async () => {
    const events = Array.from({ length: 7 }, (_, n) => someEvent({ n }));
    await appendOne({ stream, events });
    const read = async (options: Parameters<EventLog['readStream']>[1]) =>
      (await Array.fromAsync(log.readStream(stream, options))).map(({ revision }) => revision);
    expect(await read({})).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await read({ from: 5 })).toEqual([5, 6]);
    expect(await read({ from: 7 })).toEqual([]);
    expect(await read({ from: 2, limit: 3 })).toEqual([2, 3, 4]);
    expect(await read({ backwards: true })).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(await read({ backwards: true, limit: 1 })).toEqual([6]);
    expect(await read({ backwards: true, from: 2 })).toEqual([2, 1, 0]);
    expect(await read({ limit: 0 })).toEqual([]);
  });

  test('the whole log is read by page, through a filter, up to a limit', async () => {
    const before = await log.head();
    const results = await log.append(
      Array.from({ length: 12 }, (_, n) => ({
        stream: `${n % 2 ? 'odd' : 'even'}-${stream}-${n}`,
        expected: 'none' as const,
        events: [someEvent({ n }, n % 3 ? 'Usual' : 'Third')],
      })),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    const all = await everything(log, before);
    expect(await everything(log, before, 5)).toEqual(all);

    const filter = { streamPrefixes: ['odd-', 'never-'], types: ['Third', 'Never'] };
    const chosen = await Array.fromAsync(log.readAll(before, { filter, pageSize: 2 }));
    expect(ids(chosen.flatMap(({ events }) => events))).toEqual(
      ids(all.filter((event) => event.stream.startsWith('odd-') && event.type === 'Third')),
    );
    // Looking through events that don't pass is progress too.
    const none = await Array.fromAsync(log.readAll(before, { filter: { streamPrefixes: ['never-'] } }));
    expect((none.at(-1)?.position ?? START) >= (await log.head())).toBe(true);

    const until = all[6]?.position;
    const part = await Array.fromAsync(log.readAll(before, { until, pageSize: 3 }));
    expect(part.flatMap(({ events }) => events)).toEqual(all.slice(0, 7));
    expect(await log.head()).toBe(all.at(-1)?.position);
  });

  test('a position beyond the log’s end is refused, or empty if positions have gaps', async () => {
    const beyond = toPosition(BigInt((await log.head()) || 0) + 1_000_000n);
    const reading = Array.fromAsync(log.readAll(beyond));
    if (!harness.gapless) {
      expect(await reading).toEqual([]);
      return;
    }
    await expect(reading).rejects.toThrow(BeyondTheEnd);
    await expect(Array.fromAsync(log.subscribe(beyond))).rejects.toThrow(BeyondTheEnd);
  });

  test.runIf(isWhole)(
    'writers in several processes share one order and a stable prefix, and lose nothing acknowledged',
    async () => {
      const before = await log.head();
      const contested = `contested-${stream}`;
      const jobs = ['p', 'q', 'r'].map((name) => ({ name: `${name}-${stream}`, appends: 80, contested }));
      const prefixes: string[][] = [];
      const last = someEvent();
      const live = follow(
        log,
        before,
        async (seen) => {
          if (seen.length > (prefixes.at(-1)?.length ?? 0) + 40)
            prefixes.push(ids(await everything(log, before, 50)));
          return seen.at(-1)?.id === last.id;
        },
        { pageSize: 40 },
      );
      const acknowledged = (await Promise.all(jobs.map((job) => store.write(job)))).flat();
      await appendOne({ stream, events: [last] });
      const all = await everything(log, before);
      expect(await live).toEqual(all);
      const order = ids(all);
      expect(prefixes.length).toBeGreaterThan(0);
      for (const prefix of prefixes) expect(order.slice(0, prefix.length)).toEqual(prefix);
      const positions = all.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort());
      if (harness.gapless) expect(Number(positions.at(-1)) - Number(positions[0])).toBe(positions.length - 1);

      const byId = new Map(all.map((event) => [event.id, event]));
      expect(acknowledged.length).toBeGreaterThan(3 * 80);
      for (const { id, ...place } of acknowledged) expect(byId.get(id)).toMatchObject(place);
      for (const name of new Set(all.map((event) => event.stream))) {
        const revisions = all.filter((event) => event.stream === name).map(({ revision }) => revision);
        expect(revisions).toEqual(revisions.map((_, n) => n));
      }
    },
  );

  test('a subscription continues from the past into the present without loss or repetition', async () => {
    const events = Array.from({ length: 60 }, (_, n) => someEvent({ n }));
    const first = await appendOne({ stream, events: events.slice(0, 1) });
    await appendOne({ stream, expected: 0, events: events.slice(1, 30) });
    const ready = Promise.withResolvers<void>();
    const other = await store.open();
    const seen = follow(
      log,
      first.ok ? first.position : START,
      (got, batch) => {
        if (batch.live) ready.resolve();
        return got.length >= 59;
      },
      { pageSize: 7 },
    );
    await ready.promise;
    // From another connection, so that only the store can bring the news.
    for (let n = 30; n < 60; n += 1)
      await other.append([{ stream, expected: n - 1, events: events.slice(n, n + 1) }]);
    expect(ids(await seen)).toEqual(ids(events.slice(1)));
    await other.close();
  });

  test('a subscription sees the stored events in order, whoever appends them', async () => {
    const before = await log.head();
    const other = await store.open();
    const ready = Promise.withResolvers<void>();
    let last = '';
    const seen = follow(log, before, (got, { live }) => {
      if (live) ready.resolve();
      return last !== '' && got.some(({ id }) => id === last);
    });
    await ready.promise;
    const writing = [log, log, other].map((writer, index) =>
      write(writer, { name: `${stream}-${index}`, appends: 40, contested: stream }),
    );
    await Promise.all(writing);
    // Also with the time at which another log took it, and after a while in which only the other one wrote.
    await other.append([{ stream: `${stream}-alone`, expected: 'none', events: [someEvent()] }]);
    const end = { ...someEvent(), recordedAt: '2030-01-02T03:04:05.678Z' };
    last = end.id;
    await log.append([{ stream: `${stream}-end`, expected: 'none', events: [end] }]);
    expect(await seen).toEqual(await everything(log, before));
    await other.close();
  });

  test('a subscriber slower than the writers blocks nobody and misses nothing', async () => {
    const before = await log.head();
    const sent: string[] = [];
    const seen = await follow(
      log,
      before,
      async (got) => {
        // While this batch is being worked on, more is appended than a page holds.
        if (sent.length < 400) {
          const events = Array.from({ length: 80 }, (_, n) => someEvent({ n }));
          expect(await appendOne({ stream, expected: 'any', events })).toMatchObject({ ok: true });
          sent.push(...ids(events));
        }
        return got.length >= 400;
      },
      { pageSize: 10 },
    );
    expect(ids(seen)).toEqual(sent);
  });

  test('a subscription reports when it is live, and ends without an error', async () => {
    const live: Batch[] = [];
    const stop = new AbortController();
    for await (const batch of log.subscribe(await log.head(), { signal: stop.signal })) {
      live.push(batch);
      if (batch.live) stop.abort();
    }
    expect(live.at(-1)).toMatchObject({ live: true, events: [] });
    expect(await Array.fromAsync(log.subscribe(START, { signal: AbortSignal.abort() }))).toEqual([]);
  });

  test('a subscription and appends continue after the store was killed and restarted', async () => {
    const before = await log.head();
    const live = Promise.withResolvers<void>();
    const seen = follow(log, before, (got, batch) => {
      if (batch.live) live.resolve();
      return got.length >= 2;
    });
    await live.promise;
    const events = [someEvent(), someEvent()];
    await appendOne({ stream, events: events.slice(0, 1) });
    await store.restart();
    // The first attempts may meet dead connections; the store itself is there.
    await expect
      .poll(
        async () => {
          const result = await appendOne({ stream, expected: 0, events: events.slice(1) }).catch(
            () => undefined,
          );
          return result?.ok || (await Array.fromAsync(log.readStream(stream))).length === 2;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    expect(ids(await seen)).toEqual(ids(events));
    expect(ids(await Array.fromAsync(log.readStream(stream)))).toEqual(ids(events));
  });

  test('a store that dies during a large batch leaves its outcome unknown, and breaks nothing else', async () => {
    const data = JSON.stringify({ much: 'x'.repeat(20_000) });
    const batch = Array.from({ length: 300 }, (_, n) => ({
      stream: `${stream}-${n}`,
      expected: 'none' as const,
      events: [{ ...someEvent(), data }],
    }));
    const asked = log.append(batch).then(
      (results) => results.every(({ ok }) => ok),
      (error: unknown) => error,
    );
    await store.restart();
    const answer = await asked;
    if (answer !== true) expect([OutcomeUnknown, LogUnavailable]).toContain(Object(answer).constructor);
    await expect
      .poll(
        async () => {
          const found = await Promise.all(
            batch.map((item) => Array.fromAsync(log.readStream(item.stream)).catch(() => undefined)),
          );
          const missing = batch.filter((_, n) => found[n]?.length === 0);
          if (missing.length > 0) await log.append(missing).catch(() => undefined);
          return found.every(
            (events, n) => events?.length === 1 && events[0]?.id === batch[n]?.events[0]?.id,
          );
        },
        { timeout: 60_000 },
      )
      .toBe(true);
  });

  test('a reply lost after the commit is an unknown outcome, and the events are stored once', async () => {
    const lossy = await store.openLossy();
    await lossy.log.head();
    lossy.loseReplyTo(stream);
    const event = someEvent();
    await expect(lossy.log.append([{ stream, expected: 'none', events: [event] }])).rejects.toThrow(
      OutcomeUnknown,
    );
    expect(ids(await Array.fromAsync(log.readStream(stream)))).toEqual([event.id]);
    const next = { stream, expected: 0, events: [someEvent()] };
    await expect
      .poll(async () => (await lossy.log.append([next]).catch(() => []))[0]?.ok, { timeout: 60_000 })
      .toBe(true);
    await lossy.close();
  });

  test('a position that a process has heard of can be read at once', async () => {
    const other = await store.open();
    const stop = new AbortController();
    const following = other.subscribe(START, { signal: stop.signal });
    const ended = Array.fromAsync(following);
    const appended = await appendOne({ stream });
    const position = appended.ok ? appended.position : START;
    expect(log.heard >= position).toBe(true);
    await expect.poll(() => other.heard >= position, { timeout: 30_000 }).toBe(true);
    for (const { heard } of [log, other]) expect(heard <= (await log.head())).toBe(true);
    stop.abort();
    await ended;
    await other.close();
  });

  // That another log's checkpoint is refused is shown where checkpoints are kept: by the projector's and the policies's engines.
  test("the log keeps its id, and ignores another log's token", async () => {
    const appended = await appendOne({ stream });
    const position = appended.ok ? appended.position : START;
    expect(fromToken(log.id, toToken(log.id, position))).toBe(position);
    expect(fromToken(log.id, toToken(randomUUID(), position))).toBeUndefined();
    const again = await store.open();
    expect(again.id).toBe(log.id);
    await again.close();
  });
});
