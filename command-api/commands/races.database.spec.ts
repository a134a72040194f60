import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRejection } from '#domain/kernel/decider.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import {
  BOUND,
  type CounterCommand,
  type CounterEvent,
  type CounterState,
  context,
  counter,
  counterEvents,
  historyOf,
  statesOf,
} from '#tests/kit/counter.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { type Fault, withFaults } from '#tests/kit/faulty-log.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import type { Outcome } from './acting.ts';
import { createCommandHandler } from './command-handler.ts';

let onPostgres: EventLog;
beforeAll(async () => {
  onPostgres = await PostgresEventLog.open({ url: await freshDatabase() });
  atTheEnd(() => onPostgres.close());
});

const codec = createCodec(createMemoryKeyStore(), counterEvents);
let counters = 0;
/** Nobody gives up while a busy machine takes its time, in milliseconds. */
const PATIENCE = 60_000;

interface Asked {
  readonly command: CounterCommand;
  /** Which command handler, and which counter. */
  readonly handler: number;
  readonly id: number;
}
interface Answered extends Asked {
  readonly outcome: Outcome<CounterState, CounterEvent> | 'unknown';
}

/** Sends all of it at once: as many handlers as named, each with a cache of its own, on one log. */
const race = async (logs: readonly EventLog[], asked: readonly Asked[]): Promise<readonly Answered[]> => {
  const handlers = logs.map((log) =>
    createCommandHandler({ log, codec, patience: PATIENCE, mostPerBatch: 7 }),
  );
  return Promise.all(
    asked.map(async (one): Promise<Answered> => {
      const handler = handlers[one.handler % handlers.length];
      if (!handler) throw new Error('no handler');
      const outcome = await handler
        .execute(counter, one.id, one.command, context())
        .catch((error): 'unknown' => {
          if (error instanceof Error && error.name === 'OutcomeUnknown') return 'unknown';
          throw error;
        });
      return { ...one, outcome };
    }),
  );
};

/**
 * What happened equals some order of one command after the other: each event is what its command decides on the state
 * that all events before it leave behind, each command stands once at most and where its caller was told, and each refusal
 * was right at some moment.
 */
const expectSequential = async (log: EventLog, answers: readonly Answered[]): Promise<void> => {
  for (const id of new Set(answers.map((answer) => answer.id))) {
    const mine = answers.filter((answer) => answer.id === id);
    const history = await historyOf(log, codec, `counter-${id}`);
    const states = statesOf(history);
    const commands = new Map(
      mine.map((answer) => ['who' in answer.command ? answer.command.who : '', answer]),
    );
    for (const [i, { event }] of history.entries()) {
      const by = commands.get(event.data.who);
      expect(by && counter.decide(states[i] ?? counter.initial, by.command)).toEqual([event]);
    }
    expect(new Set(history.map(({ event }) => event.data.who)).size).toBe(history.length);
    for (const { command, outcome } of mine) {
      if (outcome === 'unknown') continue;
      if (outcome.ok) {
        expect(history[outcome.revision]).toMatchObject({
          event: outcome.events[0],
          revision: outcome.revision,
        });
        expect(outcome.position >= (history[outcome.revision]?.position ?? '')).toBe(true);
      } else {
        expect(states.some((state) => isRejection(counter.decide(state, command)))).toBe(true);
        expect(history.map(({ event }) => event.data.who)).not.toContain('who' in command ? command.who : '');
      }
    }
  }
};

const commandsOf = (handlers: number, most: number) =>
  fc
    .array(
      fc.record({
        handler: fc.nat(handlers - 1),
        counter: fc.nat(1),
        by: fc.constantFrom(-4, -1, 1, 2, 3, 7, 11),
      }),
      { minLength: 1, maxLength: most },
    )
    .map((list) => {
      const base = counters;
      counters += 2;
      return list.map(({ handler, counter: nth, by }, i) => ({
        handler,
        id: base + nth,
        command: { type: 'Add', by, who: `w${i}` } as const,
      }));
    });

describe('concurrent commands have the same outcome as one after the other', () => {
  it('on a log in memory, with one command handler and with three', async () => {
    await fc.assert(
      fc.asyncProperty(commandsOf(3, 60), fc.integer({ min: 1, max: 3 }), async (asked, handlers) => {
        const log = new MemoryEventLog();
        await expectSequential(log, await race(Array(handlers).fill(log), asked));
      }),
      { numRuns: 200 },
    );
  });

  it('on a log in PostgreSQL', async () => {
    await fc.assert(
      fc.asyncProperty(commandsOf(3, 60), async (asked) => {
        await expectSequential(onPostgres, await race(Array(3).fill(onPostgres), asked));
      }),
      { numRuns: 15 },
    );
  });

  it('when replies are lost or appends succeed late', async () => {
    const fault = fc.constantFrom<Fault>('fine', 'lost-after', 'lost-before', 'late');
    await fc.assert(
      fc.asyncProperty(
        commandsOf(2, 30),
        fc.array(fault, { maxLength: 6 }),
        fc.array(fault, { maxLength: 6 }),
        async (asked, one, two) => {
          const log = new MemoryEventLog();
          const answers = await race([withFaults(log, [...one]), withFaults(log, [...two])], asked);
          expect(answers.every(({ outcome }) => outcome !== 'unknown')).toBe(true);
          await expectSequential(log, answers);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the last place', () => {
  for (const [name, logOf] of [
    ['memory', () => new MemoryEventLog()],
    ['PostgreSQL', () => onPostgres],
  ] as const)
    it(`is given out no more often than it exists, whatever the number of callers and processes: ${name}`, async () => {
      const id = `storm-${counters++}`;
      const log = logOf();
      const handlers = Array.from({ length: 4 }, () =>
        createCommandHandler({ log, codec, patience: PATIENCE }),
      );
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          handlers[i % 4]?.execute(counter, id, { type: 'Add', by: 1, who: `w${i}` }, context()),
        ),
      );
      expect(outcomes.filter((outcome) => outcome?.ok)).toHaveLength(BOUND);
      expect((await historyOf(log, codec, `counter-${id}`)).map(({ event }) => event.data.who).length).toBe(
        BOUND,
      );
    });

  it('is sold twice if the revision check is switched off, so this suite tests the check', async () => {
    const log = new MemoryEventLog({ unsafelySkipRevisionCheck: true });
    const handlers = Array.from({ length: 4 }, () => createCommandHandler({ log, codec }));
    await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        handlers[i % 4]?.execute(counter, 1, { type: 'Add', by: 1, who: `w${i}` }, context()),
      ),
    );
    expect((await historyOf(log, codec, 'counter-1')).length).toBeGreaterThan(BOUND);
  });
});
