import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCodec } from '#infra/event-log/codec.ts';
import { type EventLog, EventTooLarge, LogUnavailable, OutcomeUnknown } from '#infra/event-log/event-log.ts';
import {
  BOUND,
  type CounterEvent,
  type CounterState,
  context,
  counter,
  counterEvents,
  historyOf,
  snapshotted,
} from '#tests/kit/counter.ts';
import { type Fault, withFaults } from '#tests/kit/faulty-log.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { Busy } from './acting.ts';
import { type CommandHandlerOptions, createCommandHandler } from './command-handler.ts';
import { unmeasured } from './metrics.ts';
import type { Snapshot } from './snapshots.ts';
import { SNAPSHOT_REST } from './stream-queue.ts';

const setUp = (options: Partial<CommandHandlerOptions> = {}, faults: Fault[] = []) => {
  const keys = createMemoryKeyStore();
  const codec = createCodec(keys, counterEvents);
  const log = withFaults(new MemoryEventLog(), faults);
  const newCommandHandler = (more: Partial<CommandHandlerOptions> = {}) =>
    createCommandHandler({ log, codec, ...options, ...more });
  return { keys, codec, log, newCommandHandler, handler: newCommandHandler() };
};
/** Some turns of the event loop. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
};
const add = (who: string = randomUUID(), by = 1) => ({ type: 'Add', by, who }) as const;

describe('an acting command handler', () => {
  it('reuses the caller’s command id, and gives each further command its own', async () => {
    const { handler, log, codec } = setUp({ clock: () => new Date('2026-03-01T12:00:01.000Z') });
    const given = context({ actor: { kind: 'user', id: 'ann', role: 'user' }, causationId: 'why' });
    const acting = handler.as(given);
    for (const who of ['one', 'two']) await acting.do(counter, 1, add(who));
    await acting.as({ kind: 'system' }).do(counter, 1, add('three'));
    const metas = (await historyOf(log, codec, 'counter-1')).map(({ meta }) => meta);
    expect(metas[0]).toEqual(given);
    expect(metas[1]).toEqual({ ...given, commandId: expect.any(String), at: '2026-03-01T12:00:01.000Z' });
    expect(metas[2]).toMatchObject({ actor: { kind: 'system' }, correlationId: given.correlationId });
    expect(new Set(metas.map(({ commandId }) => commandId)).size).toBe(3);
  });

  it('throws a rejection or returns it as an outcome, and reports the position reached', async () => {
    const { handler, log } = setUp();
    const acting = handler.as(context());
    await acting.do(counter, 1, add('ann', BOUND));
    const came = await log.head();
    const rejection = { rejected: 'SOLD_OUT', details: { value: BOUND } };
    await expect(acting.do(counter, 1, add('bob'))).rejects.toMatchObject({
      name: 'Refusal',
      code: rejection.rejected,
      details: rejection.details,
    });
    expect(await acting.ask(counter, 1, add('bob'))).toEqual({ ok: false, rejection });
    await handler.as(context()).do(counter, 2, add());
    expect(acting.position).toBe(came);
    await acting.state(counter, 2);
    expect(acting.position).toBe(await log.head());
  });
});

describe('executing a command', () => {
  it('appends the decided events and answers with state, revision and position', async () => {
    const { handler, log, codec } = setUp();
    const first = await handler.execute(counter, 1, add('ann', 2), context());
    const second = await handler.execute(counter, 1, add('bob', 3), context());
    expect(first).toMatchObject({ ok: true, revision: 0, state: { value: 2 } });
    expect(second).toMatchObject({ ok: true, revision: 1, state: { value: 5 }, position: await log.head() });
    expect((await historyOf(log, codec, 'counter-1')).map(({ event }) => event.data)).toEqual([
      { by: 2, who: 'ann' },
      { by: 3, who: 'bob' },
    ]);
  });

  it('stores actor, reason and time with the event', async () => {
    const { handler, log, codec } = setUp();
    const given = context({
      actor: { kind: 'user', id: 'ann', role: 'user', ip: '10.0.0.7' },
      causationId: 'why',
    });
    await handler.execute(counter, 1, add(), given);
    const [record] = await Array.fromAsync(log.readStream('counter-1'));
    expect(record?.meta).not.toContain('10.0.0.7');
    const [opened] = await codec.decode(record ? [record] : [], { openIp: true });
    expect(opened?.meta).toEqual(given);
  });

  it('gives evolve the time of the command, both when deciding and when reading the stream again', async () => {
    const { handler, newCommandHandler } = setUp();
    const timed: typeof counter = {
      ...counter,
      evolve: (state, _event, at) => ({ ...state, who: [...state.who, at] }),
    };
    const times = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:07.000Z'];
    for (const at of times) await handler.execute(timed, 1, add(), context({ at }));
    expect(await handler.state(timed, 1)).toMatchObject({ state: { who: times } });
    expect(await newCommandHandler().state(timed, 1)).toMatchObject({ state: { who: times } });
  });

  it('decides commands that arrive together one after the other, and appends them in one call', async () => {
    const { handler, log } = setUp();
    const outcomes = await Promise.all(
      Array.from({ length: 15 }, (_, i) => handler.execute(counter, 1, add(`w${i}`), context())),
    );
    expect(log.calls).toHaveLength(1);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.revision : outcome.rejection.rejected))).toEqual([
      ...Array.from({ length: BOUND }, (_, i) => i),
      ...Array(5).fill('SOLD_OUT'),
    ]);
  });

  it('combines commands on several streams in one append call', async () => {
    const { handler, log } = setUp();
    await Promise.all(Array.from({ length: 20 }, (_, i) => handler.execute(counter, i, add(), context())));
    expect(log.calls.map((call) => call.length)).toEqual([20]);
  });

  it('combines queued commands with those that the last call’s answers lead to', async () => {
    const { handler, log } = setUp();
    const append = log.append.bind(log);
    const answered = Promise.withResolvers<void>();
    vi.spyOn(log, 'append').mockImplementation((batch) => answered.promise.then(() => append(batch)));
    const chain = async (who: string): Promise<void> => {
      for (const step of [1, 2, 3]) await handler.execute(counter, `${who}${step}`, add(), context());
    };
    const first = chain('ann');
    await vi.waitFor(() => expect(log.append).toHaveBeenCalled());
    const second = chain('bob');
    await turns();
    answered.resolve();
    await Promise.all([first, second]);
    expect(log.calls.map((call) => call.map(({ stream }) => stream))).toEqual([
      ['counter-ann1'],
      ['counter-bob1', 'counter-ann2'],
      ['counter-bob2', 'counter-ann3'],
      ['counter-bob3'],
    ]);
  });

  it('reports a failing decider or an oversized event to its own caller only', async () => {
    const { handler } = setUp();
    const name = 'x'.repeat(300 * 1024);
    const outcomes = await Promise.allSettled([
      handler.execute(counter, 1, add('ann'), context()),
      handler.execute(counter, 1, { type: 'Explode' }, context()),
      handler.execute(counter, 1, { type: 'Name', who: 'bob', name }, context()),
      handler.execute(counter, 1, add('cy'), context()),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(EventTooLarge) });
    expect(outcomes[3]).toMatchObject({ value: { revision: 1, state: { value: 2 } } });
  });

  it('refuses two aggregates on one stream', async () => {
    const { handler } = setUp();
    await handler.state(counter, 1);
    await expect(handler.execute({ ...counter }, 1, add(), context())).rejects.toThrow(TypeError);
  });

  it('answers ERASED to a person whose key was destroyed, and writes `erased` for others', async () => {
    const { handler, keys, log, codec } = setUp();
    await keys.destroy('ann');
    const command = { type: 'Name', who: 'ann', name: 'Ann' } as const;
    const own = context({ actor: { kind: 'user', id: 'ann' } });
    const [late, next] = await Promise.all([
      handler.execute(counter, 1, command, own),
      handler.execute(counter, 1, add('bob'), context()),
    ]);
    expect(late).toEqual({ ok: false, rejection: { rejected: 'ERASED' } });
    expect(next).toMatchObject({ ok: true, revision: 0 });
    await handler.execute(counter, 1, command, context());
    expect((await historyOf(log, codec, 'counter-1')).at(-1)?.event.data).toEqual({
      who: 'ann',
      name: { erased: true },
    });
  });
});

describe('a cached state that is out of date', () => {
  it('is brought up to date with the conflict’s events, and the command is decided again', async () => {
    const { handler, newCommandHandler } = setUp();
    const other = newCommandHandler();
    await handler.execute(counter, 1, add('ann', 6), context());
    await other.execute(counter, 1, add('bob', 3), context());
    expect(await handler.execute(counter, 1, add('cy', 2), context())).toEqual({
      ok: false,
      rejection: { rejected: 'SOLD_OUT', details: { value: 9 } },
    });
    expect(await handler.execute(counter, 1, add('dee', 1), context())).toMatchObject({
      ok: true,
      revision: 2,
    });
  });

  it('is never used to reject a command or to answer "nothing to do" without reading the stream first', async () => {
    const { handler, newCommandHandler } = setUp();
    const other = newCommandHandler();
    await handler.execute(counter, 1, add('ann', BOUND), context());
    await other.execute(counter, 1, add('bob', -BOUND), context());
    // The first command handler still believes that the counter is full.
    expect(await handler.execute(counter, 1, add('cy', 1), context())).toMatchObject({
      ok: true,
      revision: 2,
    });
    await other.execute(counter, 1, add('dee', 1), context());
    expect(await handler.execute(counter, 1, add('dee', 1), context())).toMatchObject({
      ok: true,
      events: [],
      revision: 3,
    });
  });

  it('needs no read for commands that arrived before the append that confirmed it', async () => {
    const { handler, log } = setUp({ mostPerBatch: 5 });
    const readStream = vi.spyOn(log, 'readStream');
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => handler.execute(counter, 1, add(`w${i}`, 2), context())),
    );
    expect(outcomes.map(({ ok }) => ok)).toEqual([...Array(5).fill(true), ...Array(5).fill(false)]);
    expect(readStream).not.toHaveBeenCalled();
  });

  it('is read from the stream when a caller asks for the state', async () => {
    const { handler, newCommandHandler } = setUp();
    expect(await handler.state(counter, 1)).toEqual({ state: counter.initial, revision: -1, position: '' });
    await newCommandHandler().execute(counter, 1, add('ann', 4), context());
    expect(await handler.state(counter, 1)).toMatchObject({ state: { value: 4 }, revision: 0 });
  });

  it('leads to Busy, with nothing written, after a bounded time of conflicts', async () => {
    const { codec, log } = setUp();
    let value = 0;
    const contended: EventLog = {
      ...log,
      async append(batch) {
        // Somebody else is always a little faster.
        await log.append([
          {
            stream: 'counter-1',
            expected: 'any',
            events: [
              {
                id: randomUUID(),
                type: 'Added',
                version: 1,
                data: `{"by":0,"who":"o${value++}"}`,
                meta: '{"actor":{}}',
              },
            ],
          },
        ]);
        return log.append(batch);
      },
    };
    const handler = createCommandHandler({ log: contended, codec, patience: 30 });
    const failed = await handler.execute(counter, 1, add('ann'), context()).catch((error) => error);
    expect(failed).toBeInstanceOf(Busy);
    expect(failed).toMatchObject({ code: 'BUSY', retryAfter: 1 });
    const history = await historyOf(log, codec, 'counter-1');
    expect(history.map(({ event }) => 'who' in event.data && event.data.who)).not.toContain('ann');
    expect(history.length).toBeGreaterThan(1);
  });

  it('is read again after a conflict that brought no events', async () => {
    const { newCommandHandler, handler } = setUp({}, ['fine', 'tailless']);
    await newCommandHandler().execute(counter, 1, add('ann', 5), context());
    // The state was read for this command, and then forgotten: on none at all the command would be refused.
    expect(await handler.execute(counter, 1, add('bob', -1), context())).toMatchObject({
      ok: true,
      state: { value: 4 },
    });
  });

  it('is read again when the log was replaced by another one', async () => {
    const { codec, log } = setUp();
    const handler = createCommandHandler({ log, codec });
    await handler.execute(counter, 1, add('ann', 4), context());
    const restored = new MemoryEventLog();
    Object.assign(log, {
      append: restored.append.bind(restored),
      readStream: restored.readStream.bind(restored),
    });
    expect(await handler.execute(counter, 1, add('bob', 1), context())).toMatchObject({
      ok: true,
      revision: 0,
      state: { value: 1 },
    });
  });
});

describe('a lost reply', () => {
  for (const fault of ['lost-after', 'lost-before', 'late'] as const)
    it(`leads to a command recorded once: ${fault}`, async () => {
      const { handler, log, codec } = setUp({}, [fault]);
      const outcome = await handler.execute(counter, 1, add('ann', 2), context());
      expect(outcome).toMatchObject({
        ok: true,
        revision: 0,
        events: [{ type: 'Added' }],
        state: { value: 2 },
      });
      expect(await historyOf(log, codec, 'counter-1')).toHaveLength(1);
      expect(await handler.state(counter, 1)).toMatchObject({ state: { value: 2 }, revision: 0 });
    });

  it('makes the command handler retry the same bytes while the stream is unchanged', async () => {
    const { handler, log } = setUp({}, ['lost-before']);
    await handler.execute(counter, 1, { type: 'Name', who: 'ann', name: 'Ann' }, context());
    expect(log.calls).toHaveLength(2);
    expect(log.calls[1]).toEqual(log.calls[0]);
  });

  it('makes the outcome unknown while the log is down, and commands succeed once it is back', async () => {
    const { log, newCommandHandler } = setUp({ patience: 20 }, ['lost-before']);
    const handler = newCommandHandler();
    const readStream = vi.spyOn(log, 'readStream').mockImplementation(() => {
      throw new LogUnavailable('down');
    });
    await expect(handler.execute(counter, 1, add('ann'), context())).rejects.toThrow(OutcomeUnknown);
    readStream.mockRestore();
    expect(await handler.execute(counter, 1, add('ann'), context())).toMatchObject({ ok: true, revision: 0 });
  });

  it('never makes the command handler report that nothing was written while the append may still succeed', async () => {
    const { handler } = setUp({}, ['late', 'unavailable']);
    await expect(handler.execute(counter, 1, add('ann'), context())).rejects.toThrow(OutcomeUnknown);
  });

  it('that says the log is unavailable is passed on to every caller in that append, and later commands succeed', async () => {
    const { handler } = setUp({}, ['unavailable']);
    const both = [
      handler.execute(counter, 1, add(), context()),
      handler.execute(counter, 2, add(), context()),
    ];
    for (const { status } of await Promise.allSettled(both)) expect(status).toBe('rejected');
    expect(await handler.execute(counter, 1, add(), context())).toMatchObject({ ok: true, revision: 0 });
    await handler.drain();
  });
});

describe('the command handler’s limits', () => {
  it('reject callers at once when the queue of a stream, or of all streams, is full', async () => {
    const { handler } = setUp({ mostWaiting: 4, mostWaitingPerStream: 3 });
    const results = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => handler.execute(counter, 1, add(), context())),
      ...Array.from({ length: 3 }, (_, i) => handler.execute(counter, 2 + i, add(), context())),
    ]);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(await handler.execute(counter, 1, add(), context())).toMatchObject({ ok: true });
  });

  it('split a flood of commands on one stream, so that other streams are served in between', async () => {
    const { handler, log } = setUp({ mostPerBatch: 10 });
    const flood = Array.from({ length: 35 }, (_, i) =>
      handler.execute(counter, 1, add(`w${i}`, i % 2 ? -1 : 1), context()),
    );
    await handler.execute(counter, 2, add(), context());
    expect(log.calls).toHaveLength(1);
    await Promise.all(flood);
    const onFirst = log.calls.map((call) => call.find(({ stream }) => stream === 'counter-1')?.events.length);
    expect(onFirst).toEqual([10, 10, 10, 5]);
  });

  it('keeps each append call below 900 kB', async () => {
    const { handler, log } = setUp();
    const name = 'x'.repeat(100 * 1024);
    await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        handler.execute(counter, i % 3, { type: 'Name', who: `w${i}`, name }, context()),
      ),
    );
    const sizes = log.calls.map((call) =>
      call.flatMap(({ events }) => events).reduce((sum, { data }) => sum + data.length, 0),
    );
    expect(log.calls.flat().flatMap(({ events }) => events)).toHaveLength(24);
    expect(Math.max(...sizes)).toBeLessThan(900_000);
  });

  it('drop the states that do not fit in memory, which are read again when needed', async () => {
    const { handler } = setUp({ cachedStreams: 2 });
    for (let batch = 0; batch < 3; batch++)
      for (let id = 0; id < 5; id++)
        expect(await handler.execute(counter, id, add(), context())).toMatchObject({
          ok: true,
          revision: batch,
        });
  });

  it('forget an erased person at once, also while their stream is being read', async () => {
    const { handler, keys } = setUp();
    const naming = { ...counter, names: ({ names }: CounterState) => (names.length > 0 ? 'ann' : null) };
    const namesOf = async (id: number) => (await handler.state(naming, id)).state.names;
    for (const id of [1, 2])
      await handler.execute(naming, id, { type: 'Name', who: 'ann', name: 'Ann' }, context());
    await keys.destroy('ann');
    handler.forget('bob');
    expect(await namesOf(1)).toEqual(['Ann']);
    const reading = namesOf(2);
    handler.forget('ann');
    await reading;
    expect([await namesOf(1), await namesOf(2)]).toEqual([[null], [null]]);
  });

  it('let running commands finish and reject new ones while draining', async () => {
    const { handler } = setUp();
    const inside = handler.execute(counter, 1, add(), context());
    const drained = handler.drain();
    await expect(handler.execute(counter, 1, add(), context())).rejects.toThrow(Busy);
    await drained;
    expect(await inside).toMatchObject({ ok: true });
  });
});

describe('snapshots', () => {
  /** As though that much time had passed. */
  let passed = 0;
  beforeEach(() => {
    const now = performance.now.bind(performance);
    passed = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('are loaded if they belong to this version of the fold, and saved every so many events', async () => {
    const kept: Snapshot[] = [];
    const snapshots = {
      load: async (_: string, stream: string, version: number) =>
        kept.findLast((snapshot) => snapshot.stream === stream && snapshot.version === version),
      save: async (snapshot: Snapshot) => void kept.push(snapshot),
    };
    const { handler, newCommandHandler, log } = setUp({ snapshots });
    for (let i = 0; i < 25; i++) {
      await handler.execute(snapshotted, 1, add(`w${i}`, i % 2 ? -1 : 1), context());
      if (i === 18) passed += SNAPSHOT_REST;
    }
    expect(kept.map(({ revision }) => revision)).toEqual([9, 19]);

    const readStream = vi.spyOn(log, 'readStream');
    const late = newCommandHandler({ snapshots });
    expect(await late.execute(snapshotted, 1, add('late', 1), context())).toMatchObject({
      ok: true,
      revision: 25,
      state: { value: 2 },
    });
    expect(readStream).toHaveBeenCalledWith('snapshotted-1', { from: 20 });

    const changed = {
      ...snapshotted,
      snapshot: { ...snapshotted.snapshot, version: 2 },
    } as typeof snapshotted;
    expect(await newCommandHandler({ snapshots }).state(changed, 1)).toMatchObject({
      revision: 25,
      state: { value: 2 },
    });
    expect(readStream).toHaveBeenLastCalledWith('snapshotted-1', { from: 0 });
  });

  it('are not saved twice at once, since writing a large state blocks decisions', async () => {
    const kept: number[] = [];
    const snapshots = {
      load: async () => undefined,
      save: async ({ revision }: Snapshot) => void kept.push(revision),
    };
    const { handler } = setUp({ snapshots });
    for (let i = 0; i < 45; i++) {
      await handler.execute(snapshotted, 1, add(`w${i}`, i % 2 ? -1 : 1), context());
      if (i === 33) passed += SNAPSHOT_REST;
    }
    expect(kept).toEqual([9, 34]);
  });

  it('of a longer log are ignored after an older backup was restored', async () => {
    const { newCommandHandler } = setUp();
    await newCommandHandler().execute(snapshotted, 1, add('ann', 3), context());
    const beyond = { revision: 9, position: '00000000000000000010' };
    const other = { revision: 0, position: '00000000000000000007' };
    for (const place of [beyond, other]) {
      const snapshots = {
        load: async (logId: string, stream: string, version: number) => ({
          ...place,
          logId,
          stream,
          version,
          state: { value: BOUND, who: [], names: [] },
        }),
        save: async () => undefined,
      };
      expect(await newCommandHandler({ snapshots }).state(snapshotted, 1)).toMatchObject({
        revision: 0,
        state: { value: 3 },
      });
    }
  });

  it('are not needed: commands succeed when snapshots fail', async () => {
    const snapshotFailed = vi.fn();
    const fail = () => Promise.reject(new Error('no table'));
    const { handler } = setUp({
      snapshots: { load: fail, save: fail },
      metrics: { ...unmeasured, snapshotFailed },
    });
    for (let i = 0; i < 12; i++)
      expect(await handler.execute(snapshotted, 1, add(`w${i}`, i % 2 ? -1 : 1), context())).toMatchObject({
        revision: i,
      });
    expect(snapshotFailed).toHaveBeenCalledTimes(2);
  });
});

describe('events appended without a decision', () => {
  const event: CounterEvent = { type: 'Added', data: { by: 1, who: 'ann' } };

  it('are appended whatever the stream holds', async () => {
    const { handler } = setUp();
    expect(await handler.append('access-7', [event, event], context())).toMatchObject({ revision: 1 });
    expect(await handler.append('access-7', [event], context())).toMatchObject({ revision: 2 });
    await expect(handler.append('counter-7', [event], context())).rejects.toThrow(TypeError);
  });

  it('keep their order when they are appended together', async () => {
    const { handler } = setUp();
    const appended = await Promise.all(
      Array.from({ length: 3 }, () => handler.append('reads-7', [event], context())),
    );
    expect(appended.map(({ revision }) => revision)).toEqual([0, 1, 2]);
  });

  it('are stored once when a reply is lost', async () => {
    const { handler, log } = setUp({}, ['lost-after', 'fine', 'lost-before']);
    expect(await handler.append('access-7', [event], context())).toMatchObject({ revision: 0 });
    expect(await handler.append('access-7', [event], context())).toMatchObject({ revision: 1 });
    expect(await handler.append('access-7', [event], context())).toMatchObject({ revision: 2 });
    expect(await Array.fromAsync(log.readStream('access-7'))).toHaveLength(3);
  });
});
