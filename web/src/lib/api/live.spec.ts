import { beforeEach, expect, test, vi } from 'vitest';

/** What the browser gives the stream: sources that a test opens and breaks by hand, and a tab that can be hidden. */
class Source {
  onopen?: () => void;
  onerror?: () => void;
  onmessage?: (event: { data: string }) => void;
  closed = false;
  constructor() {
    opened.push(this);
  }
  close() {
    this.closed = true;
  }
}
let opened: Source[];
let tab: { hidden: boolean; addEventListener: (name: string, listener: () => void) => void };
let seen: () => void;

const start = async () => {
  vi.resetModules();
  const { followLive, waitBefore } = await import('./live.ts');
  const { queryClient } = await import('./query-client.ts');
  const refetched = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  followLive();
  return { refetched, waitBefore };
};
const last = () => opened.at(-1) ?? new Source();

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  tab = {
    hidden: false,
    addEventListener: (_name, listener) => {
      seen = listener;
    },
  };
  vi.stubGlobal('document', tab);
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined });
});

test('each reconnection waits twice as long as the one before, up to 30 seconds', async () => {
  const { waitBefore } = await start();
  expect([0, 1, 2, 3, 4, 5, 9].map(waitBefore)).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000]);
});

test('reconnecting stops after five attempts, and the count restarts after a success', async () => {
  await start();
  const fail = () => {
    last().onerror?.();
    vi.advanceTimersByTime(30_000);
  };
  for (let time = 0; time < 4; time += 1) fail();
  expect(opened).toHaveLength(5);
  last().onopen?.();
  for (let time = 0; time < 9; time += 1) fail();
  expect(opened).toHaveLength(10);
});

test('a ticket update refetches the lists and its event, and a greeting does nothing', async () => {
  const { refetched } = await start();
  last().onmessage?.({ data: '{"type":"connected","position":"log:1"}' });
  expect(refetched).not.toHaveBeenCalled();
  last().onmessage?.({ data: '{"type":"ticketUpdate","eventId":7,"availableTickets":3,"position":"log:2"}' });
  expect(refetched.mock.calls.map(([filters]) => filters?.queryKey)).toEqual([
    ['api', 'events', {}],
    ['api', 'events', '{id}', { params: { id: '7' } }],
  ]);
});

test('updates faster than answers wait for them, and the last one counts', async () => {
  const { refetched } = await start();
  const answers: (() => void)[] = [];
  refetched.mockImplementation(() => new Promise((answered) => answers.push(answered)));
  const update = { data: '{"type":"ticketUpdate","eventId":7,"availableTickets":3,"position":"log:2"}' };
  for (let time = 0; time < 9; time += 1) last().onmessage?.(update);
  expect(answers).toHaveLength(2);
  for (const answer of answers.splice(0)) answer();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  for (const answer of answers.splice(0)) answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(0);
  last().onmessage?.(update);
  expect(answers).toHaveLength(2);
});

test('a hidden tab does not listen, and a visible one listens again and catches up', async () => {
  const { refetched } = await start();
  tab.hidden = true;
  seen();
  expect(last().closed).toBe(true);
  tab.hidden = false;
  seen();
  expect(opened).toHaveLength(2);
  last().onopen?.();
  expect(refetched).toHaveBeenCalled();
});
