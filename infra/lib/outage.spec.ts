import { expect, it } from 'vitest';
import { LogUnavailable } from '#infra/event-log/event-log.ts';
import { GatewayUnavailable } from '#infra/payments/gateway.ts';
import { every } from './every.ts';
import { backOff, isPassing, troubleWith } from './outage.ts';

it('outages are told apart from defects', () => {
  for (const error of [
    new LogUnavailable('away'),
    new GatewayUnavailable('away'),
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('going down'), { code: '57P01' }),
  ])
    expect(isPassing(error)).toBe(true);
  for (const error of [new Error('a defect'), Object.assign(new Error('dup'), { code: '23505' }), 'text'])
    expect(isPassing(error)).toBe(false);
});

it('the back-off grows with each failure up to a limit, and is random', () => {
  for (let failures = 0; failures < 60; failures++) {
    const most = Math.min(30_000, 1_000 * 2 ** failures);
    const waits = Array.from({ length: 20 }, () => backOff(failures, 1_000, 30_000));
    for (const wait of waits) {
      expect(wait).toBeLessThanOrEqual(most);
      expect(wait).toBeGreaterThanOrEqual(most / 2);
    }
    expect(new Set(waits).size).toBeGreaterThan(1);
  }
});

it('an outage is logged once for each cause, and its end once', () => {
  const lines: unknown[] = [];
  const logger = {
    warn: ({ err }: { err: Error }, words: string) => lines.push([words, err.message]),
    info: ({ failures, task }: { failures: number; task: string }, words: string) =>
      lines.push([words, failures, task]),
  };
  const trouble = troubleWith(logger as never, 'fails', { task: 'mails' });
  trouble.over();
  for (let times = 0; times < 100; times++) trouble.met(new Error('refused'));
  trouble.met(new Error('timeout'));
  trouble.over();
  trouble.over();
  trouble.met(new Error('refused'));
  expect(lines).toEqual([
    ['fails', 'refused'],
    ['fails', 'timeout'],
    ['works again', 101, 'mails'],
    ['fails', 'refused'],
  ]);
});

it('repeated work slows down while it fails, however often it is woken', async () => {
  let runs = 0;
  let fails = true;
  const heard: unknown[] = [];
  const well = Promise.withResolvers<void>();
  const work = every(
    1,
    async () => {
      runs++;
      if (fails) throw new Error('away');
    },
    (error) => heard.push(error),
    well.resolve,
  );
  for (let times = 0; times < 200; times++) {
    work.now();
    await Promise.resolve();
  }
  expect(runs).toBeLessThan(4);
  fails = false;
  await well.promise;
  await work.stop();
  expect(heard.length).toBeGreaterThan(0);
});
