/**
 * The kit of the processes' specs: streams in memory, and walkers that take one process each and stop anywhere. The spec decides which walker
 * goes next, so that a walker may act on what it learnt long ago, and in which order the steps of a group act.
 */
import { expect } from 'vitest';
import { type Aggregate, type DomainEvent, isRejection, streamOf } from '#domain/kernel/decider.ts';
import {
  type Answer,
  areSteps,
  decide,
  isStreamRequest,
  load,
  type ProcessManager,
  type StreamRequest,
} from '#domain/kernel/process.ts';

/** Streams in memory. Each command is decided on the whole state, so that nothing happens at once but by the walkers' order. */
export class Streams {
  readonly #states = new Map<string, unknown>();
  readonly #types = new Map<string, string[]>();
  /** Milliseconds since the epoch. */
  now = Date.parse('2026-11-21T12:00:00.000Z');
  /** Which of the steps of a group that have not acted yet acts next: its place among them, modulo their number. */
  turn = 0;
  /** The most steps that a group had. */
  largestGroup = 1;

  at(): string {
    return new Date(this.now).toISOString();
  }

  carryOut({ aggregate, id, command }: StreamRequest): Answer {
    const stream = streamOf(aggregate, id);
    let state = this.#states.get(stream) ?? aggregate.initial;
    if (command === undefined) return { aggregate, state, news: false };
    const decision = aggregate.decide(state, command);
    if (isRejection(decision)) return decision;
    for (const event of decision) state = aggregate.evolve(state, event, this.at());
    this.#states.set(stream, state);
    this.#types.set(stream, [...this.types(stream), ...decision.map(({ type }) => type)]);
    return { aggregate, state, news: decision.length > 0 };
  }

  do<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: NoInfer<Command>,
  ): Answer {
    return this.carryOut(decide(aggregate, id, command));
  }

  /** As `do`, where a rejection would be a mistake of the spec's. */
  must<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: NoInfer<Command>,
  ): void {
    expect(this.do(aggregate, id, command)).not.toHaveProperty('rejected');
  }

  state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): State {
    const seen = this.carryOut(load(aggregate, id));
    if ('rejected' in seen) throw new Error('a look was refused');
    return seen.state as State;
  }

  /** The names of the streams that hold anything. */
  streams(): string[] {
    return [...this.#types.keys()];
  }

  /** The types of a stream's events. */
  types(stream: string): readonly string[] {
    return this.#types.get(stream) ?? [];
  }

  eventCount(): number {
    return [...this.#types.values()].reduce((sum, types) => sum + types.length, 0);
  }
}

/** A process on its way. */
export interface Walker {
  /** Undefined while it goes on. */
  readonly rest: unknown;
  /** Does one move: chooses a group of steps, acts on one of them, or learns from all. */
  step(): void;
  /** Goes on to its rest, or for so many moves. */
  run(moves?: number): unknown;
}

/** Starts a walker; it has done nothing yet. */
export const walk = <View, Step extends { readonly do: string }, Rest, Call, Reply>(
  streams: Streams,
  process: ProcessManager<View, Step, Rest, Call, Reply>,
  known: View,
  call?: (call: Call) => Reply,
): Walker => {
  let view = known;
  /** The present group; empty between two groups. */
  let steps: readonly Step[] = [];
  const answers = new Map<Step, Answer | Reply>();
  let rest: unknown;
  return {
    get rest() {
      return rest;
    },
    step() {
      if (rest !== undefined) return;
      if (steps.length === 0) {
        const next = process.next(view);
        if (areSteps(next)) steps = next;
        else rest = next;
        streams.largestGroup = Math.max(streams.largestGroup, steps.length);
        return;
      }
      const left = steps.filter((step) => !answers.has(step));
      const step = left[streams.turn % left.length];
      if (step) {
        const request = process.request(view, step);
        const answer = isStreamRequest(request) ? streams.carryOut(request) : call?.(request);
        if (answer === undefined) throw new Error(`nobody answers what ${process.name} asks besides streams`);
        answers.set(step, answer);
        return;
      }
      for (const [taken, answer] of steps.map((one) => [one, answers.get(one)] as const))
        if (answer !== undefined) view = process.apply(view, taken, answer);
      steps = [];
      answers.clear();
    },
    run(moves = 300) {
      for (let n = 0; n < moves && rest === undefined; n++) this.step();
      return rest;
    },
  };
};

/** Takes a process up by two at once, one of them a little slower, again and again until nothing moves. @returns their rest */
export const takeUp = (streams: Streams, start: () => Walker): unknown => {
  for (let round = 0; round < 20; round++) {
    const before = streams.eventCount();
    const [one, other] = [start(), start()];
    for (let n = 0; n < 300 && (one.rest === undefined || other.rest === undefined); n++) {
      one.step();
      if (n % 3 !== 0) other.step();
    }
    expect(one.rest).toBeDefined();
    expect(one.rest).not.toBe('stuck');
    expect(other.rest).toEqual(one.rest);
    if (streams.eventCount() === before) return one.rest;
  }
  throw new Error('it never ends');
};

/** More moves than any of our processes takes. */
const LONG_ENOUGH = 75;
/** Both orders of a pair of steps: the first of those that are left goes first, or the last. */
const TURNS = [0, 1];

/** A process and its world, to be stopped anywhere. */
export interface Stoppable<World extends Streams> {
  /** A fresh world with what the process starts from. */
  world(): World;
  /** Begins the process, or takes it up again, from what the world holds. */
  start(world: World): Walker;
  /** What others do before the n-th move. */
  meanwhile?(world: World, move: number): void;
  /** Takes up what was stopped, to its end. Default: by `takeUp`. */
  end?(world: World): void;
  /** What must hold in the end: it is finished or undone. `whole`: nothing was stopped. */
  holds(world: World, whole: boolean): void;
}

/**
 * Stops a process after each of its moves, for ever or until others have taken it up and come to the end; of a group, it stops between any
 * two of its steps, in either order. It must always be finished or undone. One that comes to rest before it is stopped is begun again,
 * which must be harmless.
 */
export const stopAnywhere = <World extends Streams>(process: Stoppable<World>): void => {
  const { start, meanwhile, holds } = process;
  const end = process.end ?? ((world: World) => takeUp(world, () => start(world)));
  let largestGroup = 1;
  const stopAt = (stop: number, turn: number, comesBack: boolean): void => {
    const world = process.world();
    world.turn = turn;
    let walker = start(world);
    for (let move = 0; move < stop; move++) {
      meanwhile?.(world, move);
      if (walker.rest !== undefined) walker = start(world);
      walker.step();
    }
    end(world);
    if (comesBack) {
      walker.run();
      end(world);
    }
    holds(world, stop === LONG_ENOUGH);
    largestGroup = Math.max(largestGroup, world.largestGroup);
  };
  for (const turn of TURNS) {
    if (turn >= largestGroup) return;
    for (let stop = 0; stop <= LONG_ENOUGH; stop++) {
      stopAt(stop, turn, false);
      stopAt(stop, turn, true);
    }
  }
  // Larger groups have more orders.
  expect(largestGroup).toBe(TURNS.length);
};
