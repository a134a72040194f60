import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import { waitBefore } from './live.ts';
import { queryClient } from './query-client.ts';
import { followSocket } from './socket.ts';

let made: FakeSocket[] = [];
class FakeSocket {
  onopen?: () => void;
  onmessage?: (event: { readonly data: string }) => void;
  onclose?: (event: { readonly code: number }) => void;
  close = vi.fn();
  readonly address: string;
  constructor(address: string) {
    this.address = address;
    made.push(this);
  }
}
let asked = vi.fn();

const follow = (ended = async (): Promise<void> => undefined) => {
  const told: unknown[] = [];
  const lost = vi.fn();
  const unfollow = followSocket('/api/live', { tell: (message) => told.push(message), lost, ended });
  return { told, lost, unfollow };
};
beforeEach(() => {
  made = [];
  asked = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { href: 'https://example.org/admin?tab=users' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a socket uses its whole address, because older browsers refuse a path', () => {
  follow();
  vi.stubGlobal('location', { href: 'http://localhost:4000/audit' });
  follow();
  expect(made.map(({ address }) => address)).toEqual([
    'wss://example.org/api/live',
    'ws://localhost:4000/api/live',
  ]);
});

test('a broken socket reconnects, later each time, until a message has arrived', async () => {
  const { told, lost } = follow();
  for (const attempt of [0, 1, 2]) {
    made.at(-1)?.onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(waitBefore(attempt) - 1);
    expect(made).toHaveLength(attempt + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(made).toHaveLength(attempt + 2);
  }
  expect(lost).toHaveBeenCalledTimes(3);
  made.at(-1)?.onmessage?.({ data: '{"position":"7"}' });
  expect(told).toEqual([{ position: '7' }]);
  made.at(-1)?.onclose?.({ code: 1006 });
  await vi.advanceTimersByTimeAsync(waitBefore(0));
  expect(made).toHaveLength(5);
});

test('a socket that never opened checks with the server who is signed in', () => {
  follow();
  made[0]?.onclose?.({ code: 1006 });
  expect(asked).toHaveBeenCalledTimes(1);
  follow();
  made[1]?.onopen?.();
  made[1]?.onclose?.({ code: 1006 });
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a socket closed for an ended session reconnects once the page finds the session valid', async () => {
  let answer = () => {};
  follow(() => new Promise<void>((resolve) => (answer = resolve)));
  made[0]?.onopen?.();
  made[0]?.onclose?.({ code: SESSION_ENDED });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toHaveLength(1);
  answer();
  await vi.advanceTimersByTimeAsync(waitBefore(0));
  expect(made).toHaveLength(2);
});

test('a socket left by its page is not reconnected', async () => {
  let answer = () => {};
  const { unfollow } = follow(() => new Promise<void>((resolve) => (answer = resolve)));
  made[0]?.onclose?.({ code: SESSION_ENDED });
  unfollow();
  answer();
  const other = follow();
  made[1]?.onclose?.({ code: 1006 });
  other.unfollow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toHaveLength(2);
});
