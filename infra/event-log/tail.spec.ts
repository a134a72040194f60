import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { toPosition } from './batch.ts';
import { BeyondTheEnd, type RecordedEvent, START } from './event-log.ts';
import { Tail } from './tail.ts';

const ALL = { filter: undefined, pageSize: 1_000 };

/** A log that counts what it is asked, and answers when it is told to. */
const aLog = () => {
  let count = 0;
  let wakeups = 0;
  const asked: string[] = [];
  let hold: Promise<void> | undefined;
  const eventAt = (place: number): RecordedEvent => ({
    id: String(place),
    type: place % 2 === 0 ? 'Even' : 'Odd',
    version: 1,
    data: '{}',
    meta: '{}',
    stream: `thing-${place}`,
    revision: 0,
    position: toPosition(place),
    recordedAt: '2031-01-01T00:00:00.000Z',
  });
  const tail = new Tail({
    wakeups: () => wakeups,
    closing: new AbortController().signal,
    async read(after, { pageSize }) {
      asked.push(after);
      const from = Number(after);
      if (from > count) throw new BeyondTheEnd('beyond');
      const to = Math.min(count, from + pageSize);
      const events = Array.from({ length: to - from }, (_, index) => eventAt(from + 1 + index));
      await hold;
      return { events, position: to === 0 ? START : toPosition(to), live: to === count };
    },
  });
  return {
    tail,
    asked,
    append(events: number) {
      count += events;
      wakeups += 1;
    },
    truncate(to: number) {
      count = to;
    },
    /** Answers wait until the returned function is called. */
    held(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      return resolve;
    },
  };
};

const idsOf = ({ events }: { events: readonly RecordedEvent[] }) => events.map(({ id }) => Number(id));

describe('the tail of the log', () => {
  it('is read once for all callers that wait for the next events', async () => {
    const log = aLog();
    log.append(3);
    const { position } = await log.tail.page(START, ALL);
    log.append(2);
    log.asked.length = 0;
    const pages = await Promise.all([1, 2, 3].map(() => log.tail.page(position, ALL)));
    expect(pages.map(idsOf)).toEqual([
      [4, 5],
      [4, 5],
      [4, 5],
    ]);
    expect(pages.every(({ live }) => live)).toBe(true);
    expect(log.asked).toEqual([position]);
  });

  it('is served from memory to callers slightly behind, by filter and page', async () => {
    const log = aLog();
    const { position } = await log.tail.page(START, ALL);
    log.append(6);
    await log.tail.page(position, ALL);
    log.asked.length = 0;
    expect(idsOf(await log.tail.page(toPosition(2), ALL))).toEqual([3, 4, 5, 6]);
    const even = { filter: { types: ['Even'] }, pageSize: 2 };
    const first = await log.tail.page(START, even);
    expect([idsOf(first), first.live, first.position]).toEqual([[2, 4], false, toPosition(4)]);
    const second = await log.tail.page(first.position, even);
    expect([idsOf(second), second.live, second.position]).toEqual([[6], true, toPosition(6)]);
    expect(log.asked).toEqual([]);
  });

  it('is read from the store by callers far behind', async () => {
    const log = aLog();
    let { position } = await log.tail.page(START, ALL);
    for (let page = 0; page < 7; page += 1) {
      log.append(1_000);
      position = (await log.tail.page(position, ALL)).position;
    }
    log.asked.length = 0;
    const page = await log.tail.page(START, ALL);
    expect([page.events.length, page.position, page.live]).toEqual([1_000, toPosition(1_000), false]);
    expect(log.asked).toEqual([START]);
  });

  it('includes events appended after the query that a second caller joins', async () => {
    const log = aLog();
    const { position } = await log.tail.page(START, ALL);
    const answer = log.held();
    log.append(1);
    const first = log.tail.page(position, ALL);
    await expect.poll(() => log.asked.length).toBe(2);
    log.append(1);
    const second = log.tail.page(position, ALL);
    answer();
    // One wake-up came before the question, two by now: who joined it waits for no third one.
    expect([await first, await second].map(({ seen }) => seen)).toEqual([1, 1]);
    expect(idsOf(await second)).toEqual([1]);
  });

  it('is forgotten when the log was put back to an older state', async () => {
    const log = aLog();
    const { position } = await log.tail.page(START, ALL);
    log.append(5);
    await log.tail.page(position, ALL);
    log.truncate(3);
    await expect(log.tail.page(toPosition(5), ALL)).rejects.toThrow(BeyondTheEnd);
    expect(idsOf(await log.tail.page(toPosition(2), ALL))).toEqual([3]);
  });
});

it('a subscription ends without an error if its log is closed before it reads', async () => {
  const log = new (class extends MemoryEventLog {
    protected override async readPage(...asked: Parameters<MemoryEventLog['readPage']>) {
      if (this.closing.signal.aborted) throw new Error('a store that is closed was asked');
      return super.readPage(...asked);
    }
  })();
  const something = () =>
    log.append([
      {
        stream: 'thing-1',
        expected: 'any',
        events: [{ id: crypto.randomUUID(), type: 'A', version: 1, data: '1', meta: '{}' }],
      },
    ]);
  await something();
  let read = 0;
  for await (const { events } of log.subscribe(START)) {
    read += events.length;
    // What comes now is asked for after a pause, and the log is closed before.
    await something();
    if (read === 3) setImmediate(() => log.close());
  }
  // Where the machine has nothing to spare, the pause is over before the log is closed.
  expect(read).toBeGreaterThanOrEqual(3);
});

it('subscriptions receive each event once, in order, whatever their filters, pages and pace', async () => {
  const reader = fc.record({
    types: fc.option(fc.constantFrom(['A'], ['B'], ['A', 'B']) as fc.Arbitrary<string[]>, { nil: undefined }),
    pageSize: fc.integer({ min: 1, max: 40 }),
    late: fc.nat(30),
    pause: fc.nat(3),
  });
  const batches = fc.array(fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 30 }), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(reader, { minLength: 1, maxLength: 6 }), batches, async (readers, all) => {
      const log = new MemoryEventLog();
      const appended: string[] = [];
      const following = new AbortController();
      const read = readers.map(async ({ types, pageSize, late, pause }) => {
        for (let turn = 0; turn < late; turn += 1) await new Promise(setImmediate);
        const got: string[] = [];
        const filter = types ? { types } : {};
        const wanted = () => appended.filter((id) => !types || types.includes(id.slice(0, 1))).length;
        const done = () => appended.length === all.flat().length && got.length >= wanted();
        if (done()) return { types, got };
        for await (const { events } of log.subscribe(START, { filter, pageSize, signal: following.signal })) {
          got.push(...events.map(({ data }) => JSON.parse(data) as string));
          if (done()) break;
          for (let turn = 0; turn < pause; turn += 1) await new Promise(setImmediate);
        }
        return { types, got };
      });
      for (const batch of all) {
        const events = batch.map((type) => {
          const data = `${type}${appended.length}`;
          appended.push(data);
          return { id: crypto.randomUUID(), type, version: 1, data: JSON.stringify(data), meta: '{}' };
        });
        await log.append([{ stream: 'thing-1', expected: 'any', events }]);
        await new Promise(setImmediate);
      }
      for (const { types, got } of await Promise.all(read))
        expect(got).toEqual(appended.filter((id) => !types || types.includes(id.slice(0, 1))));
      following.abort();
      await log.close();
    }),
    { numRuns: 40 },
  );
});
