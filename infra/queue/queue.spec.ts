import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { atTheEnd } from '#tests/kit/endings.ts';
import { type Outcome, type QueueOptions, runQueue } from './queue.ts';

const HOUR = 3_600_000;

class Away extends Error {
  override readonly name = 'LogUnavailable';
}

/** A queue whose rows are names, and all that happens to them. It doesn't poll, unless it is told to. */
const queueOf = (waiting: string[], options: Partial<QueueOptions<string, Outcome>> = {}) => {
  const settled: [row: string, outcome: unknown][] = [];
  const heard: string[] = [];
  const underWay = { now: 0, most: 0 };
  const queue = runQueue<string, Outcome>({
    concurrency: 3,
    every: HOUR,
    claim: async (room) => waiting.splice(0, room),
    async settle(row, outcome) {
      settled.push([row, outcome]);
    },
    onFailure: (row, error) => heard.push(`${row}: ${error}`),
    trouble: { met: () => heard.push('away'), over: () => heard.push('over'), failures: 0 },
    ...options,
    async handle(row, ending) {
      underWay.most = Math.max(underWay.most, ++underWay.now);
      await pause(1);
      try {
        return (await options.handle?.(row, ending)) ?? 'done';
      } finally {
        underWay.now--;
      }
    },
  });
  atTheEnd(queue.stop);
  return { queue, settled, heard, underWay, rows: () => settled.map(([row]) => row).sort() };
};

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `row-${n}`);

it('a queue handles all due rows, each once and a limited number at a time', async () => {
  const { rows, underWay } = queueOf(names(20));
  await vi.waitFor(() => expect(rows()).toEqual(names(20).sort()));
  expect(underWay.most).toBe(3);
});

it('a queue settles each row by its outcome, and reports unlisted failures', async () => {
  const at = new Date();
  const outcomes: Record<string, Outcome> = {
    again: { again: at },
    listed: { failed: 'needs a person', listed: true },
    failed: { failed: 'of its own' },
    given: { givenUp: 'too late' },
  };
  const { settled, heard } = queueOf([...Object.keys(outcomes), 'thrown'], {
    async handle(row) {
      const outcome = outcomes[row];
      if (!outcome) throw new Error('no');
      return outcome;
    },
  });
  await vi.waitFor(() => expect(settled).toHaveLength(5));
  expect(Object.fromEntries(settled)).toEqual({ ...outcomes, thrown: { failed: new Error('no') } });
  expect(heard.filter((one) => one !== 'over').sort()).toEqual(['failed: of its own', 'thrown: Error: no']);
});

it('a queue looks for more rows when it is woken, also while it is claiming', async () => {
  const claiming = Promise.withResolvers<void>();
  const waiting: string[] = [];
  let claims = 0;
  const { queue, rows } = queueOf([], {
    async claim(room) {
      const found = waiting.splice(0, room);
      if (++claims === 1) await claiming.promise;
      return found;
    },
  });
  await vi.waitFor(() => expect(claims).toBe(1));
  waiting.push('early');
  queue.wake();
  claiming.resolve();
  await vi.waitFor(() => expect(rows()).toEqual(['early']));
  waiting.push('late');
  queue.wake();
  await vi.waitFor(() => expect(rows()).toEqual(['early', 'late']));
});

it('a queue pauses for growing times in an outage, and probes with one row at a time until one is done', async () => {
  const waiting = ['first'];
  const begun: { readonly at: number; readonly beside: number }[] = [];
  const { heard, underWay, rows } = queueOf(waiting, {
    every: 5,
    async handle() {
      if (begun.push({ at: performance.now(), beside: underWay.now }) <= 3) throw new Away('away');
      return 'done';
    },
  });
  await vi.waitFor(() => expect(heard).toEqual(['away']));
  waiting.push(...names(9));
  await vi.waitFor(() => expect(rows()).toHaveLength(10), 20_000);
  const rests = begun.slice(1, 4).map(({ at }, index) => at - (begun[index]?.at ?? 0));
  for (const [index, least] of [125, 250, 500].entries()) expect(rests[index]).toBeGreaterThanOrEqual(least);
  expect(begun.slice(0, 4).map(({ beside }) => beside)).toEqual([1, 1, 1, 1]);
  expect(underWay.most).toBe(3);
  expect(heard.slice(0, 4)).toEqual(['away', 'away', 'away', 'over']);
});

it('a queue keeps probing after rows that fail by themselves, which do not end the outage', async () => {
  const waiting = ['away'];
  const beside: Record<string, number> = {};
  const { heard, underWay, rows } = queueOf(waiting, {
    every: 5,
    async handle(row) {
      beside[row] = underWay.now;
      if (row === 'away') throw new Away('away');
      if (row === 'given up') return { givenUp: 'too late' };
      return row === 'failed' ? { failed: 'of its own' } : 'done';
    },
  });
  await vi.waitFor(() => expect(heard).toEqual(['away']));
  waiting.push('given up', 'failed', 'done', ...names(6));
  await vi.waitFor(() => expect(rows()).toHaveLength(10), 20_000);
  expect(beside).toMatchObject({ 'given up': 1, failed: 1, done: 1 });
  expect(underWay.most).toBe(3);
});

it('a cautious queue starts with one row, again after each idle time', async () => {
  const waiting = names(6);
  const { queue, rows, underWay } = queueOf(waiting, { cautious: true, concurrency: 6 });
  await vi.waitFor(() => expect(rows()).toHaveLength(6));
  // One, and then all that are left.
  expect(underWay.most).toBe(5);
  underWay.most = 0;
  waiting.push(...names(6));
  queue.wake();
  await vi.waitFor(() => expect(rows()).toHaveLength(12));
  expect(underWay.most).toBe(5);
});

it('a queue ends an outage as soon as its table can be read, even if nothing is due', async () => {
  let fails = true;
  const { heard } = queueOf([], {
    every: 5,
    async claim() {
      if (fails) throw new Away('the database is away');
      return [];
    },
  });
  await vi.waitFor(() => expect(heard).toEqual(['away', 'away']), 5_000);
  fails = false;
  await vi.waitFor(() => expect(heard.at(-1)).toBe('over'), 5_000);
});

it('a queue counts a row that could not be settled as an outage', async () => {
  const { heard, underWay } = queueOf(['row'], { settle: () => Promise.reject(new Error('the database')) });
  await vi.waitFor(() => expect(heard).toEqual(['over', 'away']));
  expect(underWay.now).toBe(0);
});

it('a queue that stops signals its running rows, waits for them, and releases rows claimed meanwhile', async () => {
  const given = Promise.withResolvers<string[]>();
  const begun = Promise.withResolvers<void>();
  const back: string[] = [];
  let claims = 0;
  const { queue, settled } = queueOf([], {
    claim: () => (++claims === 1 ? Promise.resolve(['long']) : given.promise),
    async giveBack(rows) {
      back.push(...rows);
    },
    async handle(_, ending) {
      begun.resolve();
      await once(ending, 'abort');
      await pause(50);
      return { again: new Date(0) };
    },
  });
  await begun.promise;
  const stopped = queue.stop();
  given.resolve(['late']);
  await stopped;
  expect(settled).toEqual([['long', { again: new Date(0) }]]);
  expect(back).toEqual(['late']);
  queue.wake();
  expect(claims).toBe(2);
});

it('a queue renews the claims of long-running rows until they have ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  atTheEnd(() => vi.useRealTimers());
  const end = Promise.withResolvers<void>();
  const renewed: (readonly string[])[] = [];
  const { queue, underWay } = queueOf(['long'], {
    async renew(rows) {
      renewed.push(rows);
    },
    async handle() {
      await end.promise;
      return 'done';
    },
  });
  atTheEnd(() => end.resolve());
  await vi.waitFor(() => expect(underWay.now).toBe(1));
  vi.advanceTimersByTime(8_000);
  expect(renewed).toEqual([['long'], ['long']]);
  const stopped = queue.stop();
  vi.advanceTimersByTime(4_000);
  expect(renewed).toHaveLength(3);
  end.resolve();
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
});

it('a queue lets more urgent work go first', async () => {
  const quiet = Promise.withResolvers<void>();
  const { rows, underWay } = queueOf(['row'], { turn: () => quiet.promise });
  await pause(20);
  expect(underWay.most).toBe(0);
  quiet.resolve();
  await vi.waitFor(() => expect(rows()).toEqual(['row']));
});
