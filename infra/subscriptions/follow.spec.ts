import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { type Batch, START } from '#infra/event-log/event-log.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { type FollowOptions, follow } from './follow.ts';

const HOUR = 3_600_000;

const logOf = async (...types: readonly string[]) => {
  const log = new MemoryEventLog();
  const append = (...more: readonly string[]) =>
    log.append([
      {
        stream: 'a',
        expected: 'any',
        events: more.map((type) => ({ id: randomUUID(), type, version: 1, data: '{}', meta: '{}' })),
      },
    ]);
  if (types.length > 0) await append(...types);
  return { log, append };
};

/** Follows from the beginning, and notes each batch that was handed over. */
const following = (options: Pick<FollowOptions, 'log'> & Partial<FollowOptions>) => {
  const over = new AbortController();
  const batches: { readonly types: readonly string[]; readonly from: string; readonly to: string }[] = [];
  const ended = follow({
    from: START,
    signal: over.signal,
    ...options,
    async handle(batch: Batch, from) {
      const types = batch.events.map(({ type }) => type);
      batches.push({ types, from, to: batch.position });
      return (await options.handle?.(batch, from)) ?? true;
    },
  });
  atTheEnd(() => {
    over.abort();
    return ended;
  });
  const handled = () => batches.flatMap(({ types }) => types);
  return { batches, handled, ended, over };
};

it('a follower reads other types from after the event that changes them, also if that is the last of its batch', async () => {
  const { log, append } = await logOf('Sold', 'Chosen', 'Sold');
  let types = ['Chosen'];
  const { batches, handled } = following({
    log,
    types: () => types,
    changesTypes: new Set(['Chosen', 'Left']),
    async handle({ events }) {
      if (events.some(({ type }) => type === 'Chosen')) types = ['Chosen', 'Sold', 'Left'];
      if (events.some(({ type }) => type === 'Left')) types = ['Chosen'];
      return true;
    },
  });
  await vi.waitFor(() => expect(handled()).toEqual(['Chosen', 'Sold']));
  await append('Left');
  await vi.waitFor(() => expect(handled()).toEqual(['Chosen', 'Sold', 'Left']));
  await append('Sold');
  await append('Chosen');
  await append('Sold');
  await vi.waitFor(() => expect(handled()).toEqual(['Chosen', 'Sold', 'Left', 'Chosen', 'Sold']));
  // Every batch begins where the last one ended: no position is left out, and none comes twice.
  expect(batches.map(({ from }) => from)).toEqual([START, ...batches.slice(0, -1).map(({ to }) => to)]);
});

it('a follower receives the position of skipped events once no others come', async () => {
  const { log, append } = await logOf('Sold');
  const { batches } = following({ log, types: () => ['Chosen'], emptyEvery: 50 });
  await vi.waitFor(() => expect(batches).toHaveLength(1));
  await append('Sold');
  await append('Sold');
  await vi.waitFor(async () => expect(batches.at(-1)?.to).toBe(await log.head()));
  expect(batches.every(({ types }) => types.length === 0)).toBe(true);
  // After a batch with events there is nothing left to hand over.
  await append('Chosen');
  await pause(150);
  expect(batches.at(-1)?.types).toEqual(['Chosen']);
});

it('a follower receives the position of skipped events with its next batch, or after a while', async () => {
  const { log, append } = await logOf();
  const kept = following({ log, types: () => ['Chosen'], emptyEvery: HOUR });
  const told = following({ log, types: () => ['Chosen'], emptyEvery: 0 });
  await append('Sold');
  await vi.waitFor(async () => expect(told.batches.at(-1)?.to).toBe(await log.head()));
  await append('Chosen');
  await vi.waitFor(() =>
    expect(kept.batches).toEqual([{ types: ['Chosen'], from: START, to: expect.any(String) }]),
  );
});

it('a follower yields to writers before the end of the log, and only to them', async () => {
  const { log, append } = await logOf('Sold', 'Sold', 'Sold');
  const quiet = following({ log, pageSize: 1, yields: HOUR });
  await vi.waitFor(() => expect(quiet.handled()).toHaveLength(3));
  quiet.over.abort();
  await quiet.ended;

  const { batches } = following({
    log,
    pageSize: 1,
    yields: HOUR,
    async handle() {
      await append('Sold');
      return true;
    },
  });
  await vi.waitFor(() => expect(batches).toHaveLength(1));
  await pause(100);
  expect(batches).toHaveLength(1);
});

it('a follower pauses at the end of the log', async () => {
  const { log, append } = await logOf('Sold');
  const { handled } = following({ log, rest: ({ events }) => (events.length > 0 ? HOUR : 0) });
  await vi.waitFor(() => expect(handled()).toHaveLength(1));
  await append('Sold');
  await pause(100);
  expect(handled()).toHaveLength(1);
});

it('a follower ends once another process handles the log', async () => {
  const { log } = await logOf('Sold', 'Sold');
  const { batches, ended } = following({ log, pageSize: 1, handle: async () => false });
  await ended;
  expect(batches).toHaveLength(1);
});
