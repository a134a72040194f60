import { randomUUID } from 'node:crypto';
import { type Aggregate, reject } from '#domain/kernel/decider.ts';
import { defineEvent, type EventOf, type EventSchemas } from '#domain/kernel/event.ts';
import { isErased, type Personal } from '#domain/kernel/personal.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import type { Context, Recorded } from '#infra/event-log/recorded.ts';
import { fold } from './fold.ts';

/** A small aggregate with everything that the command handler must respect: a bound, refusals, repeats, personal data. */
export const counterEvents = {
  Added: defineEvent<{ by: number; who: string }>()({ audit: null, work: false }),
  Named: defineEvent<{ who: string; name: Personal<string> }>()({
    sealed: ['name'],
    person: (data) => data.who,
    audit: null,
    work: false,
  }),
} satisfies EventSchemas;
export type CounterEvent = EventOf<typeof counterEvents>;

export type CounterCommand =
  /** Refused if the value would leave 0 … `BOUND`; a repeat by the same `who` records nothing. */
  | { readonly type: 'Add'; readonly by: number; readonly who: string }
  | { readonly type: 'Name'; readonly who: string; readonly name: string }
  | { readonly type: 'Explode' };

export interface CounterState {
  readonly value: number;
  readonly who: readonly string[];
  readonly names: readonly (string | null)[];
}

export const BOUND = 10;

export const counter: Aggregate<CounterState, CounterCommand, CounterEvent> = {
  name: 'counter',
  initial: { value: 0, who: [], names: [] },
  evolve: (state, { type, data }) =>
    type === 'Added'
      ? { ...state, value: state.value + data.by, who: [...state.who, data.who] }
      : { ...state, names: [...state.names, isErased(data.name) ? null : data.name] },
  decide(state, command) {
    if (command.type === 'Explode') throw new Error('a bug in a decider');
    if (command.type === 'Name') return [{ type: 'Named', data: { who: command.who, name: command.name } }];
    const { by, who } = command;
    if (state.who.includes(who)) return [];
    const next = state.value + by;
    if (next < 0 || next > BOUND) return reject('SOLD_OUT', { value: state.value });
    return [{ type: 'Added', data: { by, who } }];
  },
};

/** The same, kept in snapshots every 10 events. */
export const snapshotted: typeof counter = {
  ...counter,
  name: 'snapshotted',
  snapshot: { version: 1, every: 10, toJSON: (state) => state, fromJSON: (json) => json as CounterState },
};

export const context = (over: Partial<Context> = {}): Context => ({
  commandId: randomUUID(),
  correlationId: randomUUID(),
  actor: { kind: 'system' },
  at: '2026-11-21T10:00:00.000Z',
  ...over,
});

export const historyOf = async (
  log: EventLog,
  codec: Codec,
  stream: string,
): Promise<readonly Recorded<CounterEvent>[]> =>
  codec.decode<CounterEvent>(await Array.fromAsync(log.readStream(stream)));

export const statesOf = (history: readonly Recorded<CounterEvent>[]): readonly CounterState[] => {
  const events = history.map(({ event }) => event);
  return [counter.initial, ...events.map((_, at) => fold(counter, events.slice(0, at + 1)))];
};
