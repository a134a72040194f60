import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, NoAnswer } from '#web/lib/failure.ts';
import { askUntil, askUntilKnown } from './ask-until.ts';

const lost = new NoAnswer(true, undefined);
const offline = new NoAnswer(false, undefined);
const refused = new ApiError(409, '{"code":"SOLD_OUT"}');

/** A call that fails in these ways, one after the other, and then for ever in the last; or succeeds. */
const failing = (...failures: readonly (Error | string)[]) => {
  const left = [...failures];
  return vi.fn(async () => {
    const next = left.length > 1 ? left.shift() : left[0];
    if (typeof next === 'string') return next;
    throw next;
  });
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const settled = async <Answer>(asked: Promise<Answer>) => {
  const outcome = asked.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return outcome;
};

test('a lost answer is asked for again until it arrives', async () => {
  const send = failing(lost, lost, 'done');
  expect(await settled(askUntilKnown(send))).toBe('done');
  expect(send).toHaveBeenCalledTimes(3);
});

test('a refusal and an unsent call are not repeated', async () => {
  for (const error of [refused, offline]) {
    const send = failing(error);
    expect(await settled(askUntilKnown(send))).toBe(error);
    expect(send).toHaveBeenCalledOnce();
  }
});

test('a call that may have been carried out is never reported as unsent', async () => {
  expect(await settled(askUntilKnown(failing(lost, offline)))).toBe(lost);
});

test('a refusal of the repeated call is the answer', async () => {
  expect(await settled(askUntilKnown(failing(lost, refused)))).toBe(refused);
});

test('the person decides after a while whether to go on', async () => {
  const send = failing(lost);
  expect(await settled(askUntilKnown(send))).toBe(lost);
  expect(send.mock.calls.length).toBeGreaterThan(3);
});

test('the caller decides which other answers are worth repeating', async () => {
  expect(await settled(askUntil(failing(refused, 'done'), () => false))).toBe('done');
});
