/** Jobs and the policies on PostgreSQL: once each, by any process, taken over from the dead. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addJobs,
  countToDecide,
  dropJobs,
  failingJobs,
  type Job,
  lastFailureOf,
  lookAgain,
  type NewJob,
  ToDecide,
  toDecide,
} from '#command-api/jobs/jobs.ts';
import { type Handlers, startWorker, waitAfter } from '#command-api/jobs/worker.ts';
import { allEvents } from '#domain/all-events.ts';
import { type BookingFacts, bookingEvents } from '#domain/booking/events.ts';
import { LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import type { DomainEvent } from '#domain/kernel/decider.ts';
import { createCodec, UnknownEventType } from '#infra/event-log/codec.ts';
import { LogUnavailable } from '#infra/event-log/event-log.ts';
import type { Actor } from '#infra/event-log/recorded.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import { createOutbox } from '#infra/mail/outbox.ts';
import type { Queue } from '#infra/queue/queue.ts';
import type { Leading } from '#infra/subscriptions/leader.ts';
import { positionOf } from '#infra/subscriptions/subscription.ts';
import { eachUnread } from '#infra/subscriptions/unread.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { OtherLogsCheckpoint, type PoliciesOptions, policyLag, runPolicies } from './run-policies.ts';

const database = migratedDatabase();
beforeEach(async () => {
  await database.pool.query(
    'truncate app.job, app.subscription, app.outbox, app.account_booking, app.unread_event',
  );
});

const jobs = async () => (await database.pool.query('select * from app.job order by id')).rows;
const clock = () => new Date();
const due = (id: string, at = clock()): NewJob => ({
  id,
  kind: 'refund',
  subject: id,
  payload: { bookingId: 1 },
  dueAt: at,
});

describe('the worker', () => {
  const workers: Queue[] = [];
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });
  const nothing = async () => undefined;
  const handlers = (refund: Handlers['refund']): Handlers => ({
    attempt: nothing,
    intent: nothing,
    'provider-refund': nothing,
    dispute: nothing,
    cancellation: nothing,
    reinstatement: nothing,
    refund,
    'refund-notice': nothing,
    reminder: nothing,
    deletion: nothing,
    moved: nothing,
    waiting: nothing,
    sessions: nothing,
    reconcile: nothing,
  });
  const start = (refund: Handlers['refund'], concurrency = 4): Queue => {
    const worker = startWorker({
      pool: database.pool,
      handlers: handlers(refund),
      concurrency,
      every: 20,
    });
    workers.push(worker);
    return worker;
  };

  it('runs each due job once, however many workers look for it', async () => {
    const done: string[] = [];
    const refund = async ({ id }: Job) => {
      done.push(id);
      return undefined;
    };
    for (let n = 0; n < 3; n++) start(refund);
    const ids = Array.from({ length: 60 }, (_, n) => `job-${n}`);
    await addJobs(
      database.pool,
      ids.map((id) => due(id)),
    );
    await addJobs(database.pool, [due('later', new Date(Date.now() + 3_600_000))]);
    await eventually(async () => expect((await jobs()).map(({ id }) => id)).toEqual(['later']));
    expect(done.sort()).toEqual([...ids].sort());
  });

  it('uses the database’s clock instead of this machine’s', async () => {
    const real = Date.now();
    vi.useFakeTimers({ now: real + 15 * 60_000, toFake: ['Date'] });
    try {
      await addJobs(database.pool, [due('now', new Date(real)), due('later', new Date(real + 10 * 60_000))]);
      const done: string[] = [];
      start(async ({ id }) => {
        done.push(id);
        if (id === 'now') throw new Error('not yet');
        return undefined;
      });
      // Tried again by then, so the other would have been found as well.
      await eventually(() => expect(done.length).toBeGreaterThanOrEqual(3));
      expect(done).not.toContain('later');
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves unknown kinds of job to a newer program', async () => {
    const unknown = { ...due('newer', new Date(0)), kind: 'seat-upgrade' } as unknown as NewJob;
    await addJobs(database.pool, [unknown, due('known')]);
    start(nothing, 1);
    await eventually(async () => expect(await jobs()).toHaveLength(1));
    expect(await jobs()).toMatchObject([{ id: 'newer', tries: 0, lease: null }]);
  });

  it('adds a job once, and drops jobs by subject', async () => {
    await addJobs(database.pool, [due('one')]);
    await addJobs(database.pool, [due('one', new Date(0)), due('two')]);
    expect(await jobs()).toHaveLength(2);
    await dropJobs(database.pool, 'refund', ['one']);
    expect((await jobs()).map(({ id }) => id)).toEqual(['two']);
  });

  it('counts the jobs that wait for a person to decide, and no others', async () => {
    const about = { kind: 'intent', subject: 'pi_1', payload: { intentId: 'pi_1' }, dueAt: clock() } as const;
    await addJobs(database.pool, [
      { ...about, id: 'webhook:evt_1' },
      { ...about, id: toDecide('intent', 'pi_1') },
      due('101'),
    ]);
    expect(await countToDecide(database.pool, 'intent')).toBe(1);
    expect(await countToDecide(database.pool, 'refund')).toBe(0);
  });

  it('retries a failed job, and lists a repeatedly failing one with its reason', async () => {
    let tries = 0;
    const worker = start(async () => {
      tries++;
      throw new Error('the provider says no');
    });
    await addJobs(database.pool, [due('stubborn')]);
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(2));
    // Stopped, since a try that is under way would be counted on top of the nine.
    await worker.stop();
    await database.pool.query('update app.job set tries = 9 where id = $1', ['stubborn']);
    expect(await failingJobs(database.pool)).toMatchObject([
      { id: 'stubborn', kind: 'refund', tries: 9, reason: 'Error: the provider says no' },
    ]);
    for (const [tries, longest] of [
      [0, 250],
      [3, 2_000],
      [10, 10_000],
      [40, 300_000],
    ] as const) {
      expect(waitAfter(tries)).toBeLessThanOrEqual(longest);
      expect(waitAfter(tries)).toBeGreaterThanOrEqual(longest / 2);
    }
  });

  it('lists a job that a person has to decide at once, and retries it rarely', async () => {
    const { pool } = database;
    let tries = 0;
    const worker = start(async () => {
      tries++;
      throw new ToDecide('cancel it');
    });
    await addJobs(pool, [due('decision')]);
    await eventually(async () =>
      expect(await failingJobs(pool)).toMatchObject([{ id: 'decision', reason: 'ToDecide: cancel it' }]),
    );
    await worker.stop();
    const [job] = await failingJobs(pool);
    expect({ tries, counted: job?.tries }).toEqual({ tries: 1, counted: LISTED_FROM });
    expect((job?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(60_000);
  });

  it('runs a job once more if it became due while it was running', async () => {
    const { pool } = database;
    let tries = 0;
    start(async ({ id }) => {
      if (++tries > 1) return undefined;
      await lookAgain(pool, [id, 'nobody knows this one']);
      throw new ToDecide('cancel it');
    });
    await addJobs(pool, [due('decided')]);
    await eventually(async () => expect(await jobs()).toEqual([]));
    expect(tries).toBe(2);
  });

  it('runs ordinary jobs before those that wait for a person, even if these have been due for longer', async () => {
    const { pool } = database;
    const longAgo = new Date(Date.now() - 3_600_000);
    await addJobs(pool, [
      ...Array.from({ length: 500 }, (_, n) => due(toDecide('refund', `${n}`), longAgo)),
      due('waited-for'),
    ]);
    const tried: string[] = [];
    start(async ({ id }) => {
      tried.push(id);
      if (id !== 'waited-for') throw new ToDecide('cancel it');
      return undefined;
    });
    await eventually(() => expect(tried.length).toBeGreaterThan(20));
    expect(tried.slice(0, 4)).toContain('waited-for');
  });

  it('reports a failing single job until it succeeds', async () => {
    let works = false;
    start(async () => {
      if (!works) throw new Error('nobody answers');
      return new Date(Date.now() + 3_600_000);
    });
    expect(await lastFailureOf(database.pool, 'refund')).toBeUndefined();
    await addJobs(database.pool, [due('ask')]);
    await eventually(async () =>
      expect(await lastFailureOf(database.pool, 'refund')).toMatchObject({ reason: 'Error: nobody answers' }),
    );
    works = true;
    await eventually(async () => expect(await lastFailureOf(database.pool, 'refund')).toBeUndefined());
  });

  it('slows down to one job at a time during an outage, and logs the outage once', async () => {
    const lines: string[] = [];
    const told = (level: string) => (_about: object, words: string) => void lines.push(`${level}: ${words}`);
    const trouble = troubleWith({ warn: told('warn'), info: told('info') } as never, 'jobs fail');
    let away = true;
    let tries = 0;
    const worker = startWorker({
      pool: database.pool,
      handlers: handlers(async () => {
        tries++;
        if (away) throw new LogUnavailable('the log is away');
        return undefined;
      }),
      concurrency: 4,
      every: 5,
      trouble,
    });
    workers.push(worker);
    await addJobs(
      database.pool,
      Array.from({ length: 40 }, (_, n) => due(`job-${n}`)),
    );
    await eventually(() => expect(trouble.failures).toBeGreaterThanOrEqual(5));
    // Four were begun before the first of them failed; from then on there was one at a time.
    expect(tries).toBeLessThan(12);
    expect(lines).toEqual(['warn: jobs fail']);
    away = false;
    await eventually(async () => expect(await jobs()).toEqual([]));
    expect(lines).toEqual(['warn: jobs fail', 'info: works again']);
  });

  it('repeats a job at the time that its handler returns', async () => {
    let calls = 0;
    start(async () => (++calls < 3 ? new Date(Date.now() - 1) : undefined));
    await addJobs(database.pool, [due('patient')]);
    await eventually(async () => expect(await jobs()).toEqual([]));
    expect(calls).toBe(3);
  });

  it('signals long jobs when the process ends, and stores their progress for the next worker', async () => {
    const begun = Promise.withResolvers<void>();
    const worker = start(async (_, signal) => {
      begun.resolve();
      await once(signal, 'abort');
      return new Date();
    });
    await addJobs(database.pool, [due('long')]);
    await begun.promise;
    await worker.stop();
    expect(await jobs()).toMatchObject([{ id: 'long', tries: 0, lease: null }]);
  });

  it('starts no job while the process ends, and leaves it to the next worker', async () => {
    let begun = 0;
    let stopped: Promise<void> | undefined;
    const { pool } = database;
    const worker: Queue = startWorker({
      pool: {
        async query(text: string, values?: unknown[]) {
          const answer = await pool.query(text, values);
          if (answer.rows.length > 0) stopped = worker.stop();
          return answer;
        },
      } as unknown as typeof pool,
      handlers: handlers(async () => void begun++),
      every: 5,
    });
    await addJobs(pool, [due('late')]);
    await eventually(() => expect(stopped).toBeDefined());
    await stopped;
    expect(begun).toBe(0);
    expect(await jobs()).toMatchObject([{ id: 'late', tries: 0, lease: null }]);
  });

  it('takes over jobs from a dead process once their lease has run out', async () => {
    await addJobs(database.pool, [due('orphan'), due('held')]);
    const claim = `update app.job set lease = $1, leased_until = now() + $2::interval where id = $3`;
    await database.pool.query(claim, [randomUUID(), '-1 second', 'orphan']);
    await database.pool.query(claim, [randomUUID(), '1 hour', 'held']);
    start(nothing);
    await eventually(async () => expect((await jobs()).map(({ id }) => id)).toEqual(['held']));
  });
});

describe('the policies', () => {
  const runningPolicies: Leading[] = [];
  afterEach(async () => {
    await Promise.all(runningPolicies.splice(0).map((running) => running.stop()));
  });
  const codec = createCodec(createMemoryKeyStore(), allEvents);
  const expired: number[] = [];
  const failures: unknown[] = [];
  const start = async (log: MemoryEventLog, other: Partial<PoliciesOptions> = {}): Promise<Leading> => {
    const { pool } = database;
    const onExpired = (holds: number) => void expired.push(holds);
    const trouble = { met: (error: unknown) => void failures.push(error), over: () => undefined };
    const given = { log, codec, pool, outbox: createOutbox(pool), onExpired, trouble, ...other };
    const running = await runPolicies(given);
    runningPolicies.push(running);
    return running;
  };
  const append = async (
    log: MemoryEventLog,
    stream: string,
    event: DomainEvent,
    actor?: Actor,
  ): Promise<string> => {
    const context = {
      commandId: randomUUID(),
      actor: actor ?? ({ kind: 'user', id: 'ann' } as const),
      at: new Date().toISOString(),
      correlationId: 'spec',
    };
    const id = randomUUID();
    const meta = await codec.encodeMeta(context);
    const made = await codec.encode(event, id, stream, context, meta);
    await log.append([{ stream, expected: 'any', events: [made] }]);
    return id;
  };
  const quote = {
    unitPrice: 100,
    quantity: 1,
    discount: 0,
    total: 100,
    currency: 'gbp',
    promotion: null,
  } as const;
  const opened = (attempt: string) => ({
    type: 'CheckoutOpened',
    data: {
      attempt,
      bookingId: 1,
      reference: 'BK',
      userId: 'ann',
      listingId: 7,
      quote,
      until: '2030-01-01T00:00:00Z',
    },
  });
  const placed = (attempt: string, bookingId = 1) => ({
    type: 'BookingPlaced',
    data: {
      bookingId,
      reference: 'BK',
      userId: 'ann',
      listingId: 7,
      attempt,
      quote,
      intentId: 'pi',
      policy: [],
      startsAt: '2030-01-01T00:00:00Z',
    } satisfies BookingFacts,
  });
  /** Leaves no event to others. */
  const PASSED = { wait: 0, fallback: 'park' } as const;
  /** A lease that no spec waits for: the next process works only if it is given back. */
  const LONG_LEASE = 3_600_000;

  const mails = async () =>
    (await database.pool.query('select key, kind from app.outbox order by id')).rows as {
      key: string;
      kind: string;
    }[];

  it('adds a timer for each attempt, and drops it once the attempt is settled', async () => {
    const log = new MemoryEventLog();
    await start(log);
    const id = await append(log, 'checkout-ann-7', opened('a'));
    await eventually(async () =>
      expect(await jobs()).toMatchObject([
        {
          id: `${id}:attempt`,
          kind: 'attempt',
          subject: 'a',
          payload: { userId: 'ann', listingId: 7, attempt: 'a' },
          due_at: new Date('2030-01-01T00:00:00Z'),
        },
      ]),
    );
    const done = await append(log, 'booking-1', placed('a'));
    await eventually(async () => expect(await jobs()).toMatchObject([{ kind: 'reminder' }]));
    expect(await mails()).toEqual([{ key: `${done}:booking-confirmation`, kind: 'booking-confirmation' }]);
    const { rows } = await database.pool.query('select * from app.account_booking');
    expect(rows).toEqual([{ account_id: 'ann', booking_id: 1 }]);
  });

  it('reruns a job that waits for a person’s decision on a payment once its booking is cancelled', async () => {
    const log = new MemoryEventLog();
    const next = new Date('2030-01-01T00:00:00Z');
    const listed = (subject: string): NewJob => {
      const about = { kind: 'provider-refund', subject, payload: { intentId: subject } } as const;
      return { ...about, id: toDecide('provider-refund', subject), dueAt: next };
    };
    await addJobs(database.pool, [listed('pi_1'), listed('pi_2')]);
    let woken = 0;
    await start(log, { onJobs: () => woken++ });
    const whose = { bookingId: 1, userId: 'ann', listingId: 7, intentId: 'pi_1' };
    const asked = { ...whose, amount: 100, paid: 100, cancellation: 1, processingType: 'auto_approved' };
    await append(log, 'refund-1', { type: 'RefundRequested', data: { ...asked, reason: 'Ill' } });
    await eventually(() => expect(woken).toBe(1));
    const due = (await jobs()).map(({ subject, due_at }) => [subject, due_at < new Date()]);
    expect(due).toEqual([
      ['pi_1', true],
      ['pi_2', false],
    ]);
  });

  it('adds one reminder job for all bookings of a start', async () => {
    const log = new MemoryEventLog();
    await append(log, 'booking-1', placed('a', 1));
    await start(log);
    const startsAt = '2030-01-01T00:00:00Z';
    const reminder = {
      id: `reminder:7:${startsAt}`,
      payload: { listingId: 7, startsAt },
      due_at: new Date('2029-12-25T00:00:00Z'),
    };
    await eventually(async () => expect(await jobs()).toMatchObject([reminder]));
    await append(log, 'booking-2', placed('b', 2));
    await eventually(async () => expect(await mails()).toHaveLength(2));
    expect(await jobs()).toMatchObject([reminder]);
  });

  it('counts each hold that expired without a payment once', async () => {
    const log = new MemoryEventLog();
    const closing = (attempt: string, why: string) => ({
      type: 'CheckoutClosing',
      data: { attempt, why },
    });
    await append(log, 'checkout-ann-7', closing('a', 'expired'));
    await append(log, 'checkout-bea-7', closing('b', 'repriced'));
    await append(log, 'checkout-cy-7', closing('c', 'expired'));
    expired.length = 0;
    const both = [await start(log), await start(log)];
    await eventually(async () => expect(await positionOf(database.pool, 'jobs')).toBe(await log.head()));
    // They are told after the transaction: whoever moved the checkpoint may be about to.
    await Promise.all(both.map((running) => running.stop()));
    expect(expired.reduce((sum, holds) => sum + holds, 0)).toBe(2);
  });

  it('continues from its checkpoint and adds nothing twice', async () => {
    const log = new MemoryEventLog();
    await append(log, 'booking-1', placed('a', 1));
    const first = await start(log, { lease: LONG_LEASE });
    await eventually(async () => expect(await mails()).toHaveLength(1));
    await first.stop();
    await database.pool.query('delete from app.outbox');
    await append(log, 'booking-2', placed('b', 2));
    await start(log);
    await start(log);
    await eventually(async () => expect(await positionOf(database.pool, 'jobs')).toBe(await log.head()));
    expect(await mails()).toHaveLength(1);
  });

  it('adds nothing for demo data, and reads past events without work', async () => {
    const log = new MemoryEventLog();
    await start(log);
    const demo = { kind: 'system', id: 'demo' } as const;
    await append(log, 'booking-1', placed('a'), demo);
    await append(log, 'checkout-ann-7', opened('a'), demo);
    await append(log, 'listing-7', { type: 'ListingFeatured', data: { listingId: 7, featured: true } });
    await eventually(async () => expect(await positionOf(database.pool, 'jobs')).toBe(await log.head()));
    expect(await mails()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  it('reports its lag: an unreadable event keeps later events waiting', async () => {
    const log = new MemoryEventLog();
    await append(log, 'booking-1', placed('a', 1));
    await start(log);
    await eventually(async () => expect(await policyLag(log, database.pool)).toBe(0));
    const unreadable = { id: randomUUID(), type: 'BookingPlaced', version: 99, data: '{}', meta: '{}' };
    await log.append([{ stream: 'booking-2', expected: 'any', events: [unreadable] }]);
    await append(log, 'booking-3', placed('c', 3));
    await append(log, 'listing-7', { type: 'ListingFeatured', data: { listingId: 7, featured: true } });
    await eventually(() => expect(failures).toContainEqual(expect.any(UnknownEventType)));
    expect(await policyLag(log, database.pool)).toBe(2);
  });

  /** A program from before the events of today. */
  const older = createCodec(createMemoryKeyStore(), {
    ...allEvents,
    BookingPlaced: { ...bookingEvents.BookingPlaced, version: 0 },
  });

  it('gives its lease to a newer program if it cannot read an event', async () => {
    const log = new MemoryEventLog();
    await start(log, { codec: older, lease: LONG_LEASE });
    failures.length = 0;
    await append(log, 'checkout-ann-7', opened('a'));
    await append(log, 'booking-1', placed('a'));
    await eventually(() => expect(failures).toContainEqual(expect.any(UnknownEventType)));
    await start(log);
    await eventually(async () => expect(await mails()).toHaveLength(1));
  });

  it('leaves the log to a newer program at once, because it could miss new types of event', async () => {
    const log = new MemoryEventLog();
    const follows = async () =>
      (await database.pool.query("select version from app.subscription where name = 'jobs'")).rows;
    const old = await start(log, { program: 1, lease: LONG_LEASE });
    await eventually(async () => expect(await follows()).toEqual([{ version: 1 }]));
    await start(log, { program: 2, lease: LONG_LEASE });
    await eventually(async () => expect(await follows()).toEqual([{ version: 2 }]));
    await append(log, 'booking-1', placed('a'));
    await eventually(async () => expect(await mails()).toHaveLength(1));
    await old.stop();
    expect(await follows()).toEqual([{ version: 2 }]);
  });

  it('skips a damaged event, and stores the error even if that quotes invalid characters', async () => {
    const log = new MemoryEventLog();
    await start(log, { unreadable: PASSED });
    const spoilt = { id: randomUUID(), type: 'BookingPlaced', version: 1, data: '\0{}', meta: '{}' };
    await log.append([{ stream: 'booking-2', expected: 'any', events: [spoilt] }]);
    await append(log, 'booking-1', placed('a'));
    await eventually(async () => expect(await mails()).toHaveLength(1));
    expect(await eachUnread(database.pool)).toMatchObject([
      { stream: 'booking-2', error: expect.stringContaining('\ufffd') },
    ]);
  });

  it('skips an event that no program can read, lists it, and adds its work once one can', async () => {
    const log = new MemoryEventLog();
    const old = await start(log, { codec: older, unreadable: PASSED });
    await append(log, 'booking-1', placed('a'));
    await append(log, 'checkout-bea-7', opened('b'));
    await eventually(async () => expect(await policyLag(log, database.pool)).toBe(0));
    expect(await eachUnread(database.pool)).toMatchObject([
      { type: 'BookingPlaced', stream: 'booking-1', error: expect.stringContaining('newer program') },
    ]);
    expect(await jobs()).toHaveLength(1);
    expect(await mails()).toEqual([]);
    await old.stop();
    await start(log);
    await eventually(async () => expect(await mails()).toHaveLength(1));
    expect(await eachUnread(database.pool)).toEqual([]);
  });

  it('takes over from a dead process', async () => {
    const log = new MemoryEventLog();
    const died = await start(log);
    await died.stop();
    await database.pool.query(
      `update app.subscription set holder = $1, lease_until = now() + interval '1 second'`,
      [randomUUID()],
    );
    await append(log, 'booking-1', placed('a'));
    await start(log);
    await eventually(async () => expect(await mails()).toHaveLength(1));
  });

  it('refuses the checkpoint of another log', async () => {
    await (await start(new MemoryEventLog())).stop();
    await expect(start(new MemoryEventLog())).rejects.toThrow(OtherLogsCheckpoint);
  });
});
