/**
 * The kit of the chains' specs: streams in memory, and walkers that take one chain each and stop wherever they are told to. Whoever
 * steps the walkers decides who goes next, so that a walker may act on what it learnt long ago.
 */
import { expect } from 'vitest';
import { type Answer, ask, type Chain, isOrder, isStep, look, type Order } from '#domain/kernel/chain.ts';
import { type Aggregate, type DomainEvent, isRejection, streamOf } from '#domain/kernel/decider.ts';

/** Streams in memory. Each command is decided on the whole state, so that nothing happens at once but by the walkers' order. */
export class Streams {
  readonly #states = new Map<string, unknown>();
  readonly #types = new Map<string, string[]>();
  /** Milliseconds since the epoch. */
  now = Date.parse('2026-11-21T12:00:00.000Z');

  at(): string {
    return new Date(this.now).toISOString();
  }

  carryOut({ aggregate, id, command }: Order): Answer {
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
    return this.carryOut(ask(aggregate, id, command));
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
    const seen = this.carryOut(look(aggregate, id));
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

/** A chain on its way. */
export interface Walker {
  /** Undefined while it goes on. */
  readonly rest: unknown;
  /** Does a third of one step: chooses it, acts, or learns from it. */
  step(): void;
  /** Goes on to its rest, or for so many thirds of steps. */
  run(thirds?: number): unknown;
}

/** Starts a walker; it has done nothing yet. */
export const walk = <View, Step extends { readonly do: string }, Rest, Call, Reply>(
  streams: Streams,
  chain: Chain<View, Step, Rest, Call, Reply>,
  known: View,
  call?: (call: Call) => Reply,
): Walker => {
  let view = known;
  let step: Step | undefined;
  let answer: Answer | Reply | undefined;
  let rest: unknown;
  return {
    get rest() {
      return rest;
    },
    step() {
      if (rest !== undefined) return;
      if (step === undefined) {
        const next = chain.next(view);
        if (isStep<Step>(next)) step = next;
        else rest = next;
      } else if (answer === undefined) {
        const order = chain.order(view, step);
        answer = isOrder(order) ? streams.carryOut(order) : call?.(order);
        if (answer === undefined) throw new Error(`nobody answers what ${chain.name} asks besides streams`);
      } else {
        view = chain.learn(view, step, answer);
        step = undefined;
        answer = undefined;
      }
    },
    run(thirds = 300) {
      for (let n = 0; n < thirds && rest === undefined; n++) this.step();
      return rest;
    },
  };
};

/** Takes a chain up by two at once, one of them a little slower, again and again until nothing moves. @returns their rest */
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

/** More thirds of steps than any of our chains takes. */
const LONG_ENOUGH = 75;

/** A chain and its world, to be stopped anywhere. */
export interface Stoppable<World extends Streams> {
  /** A fresh world with what the chain starts from. */
  world(): World;
  /** Begins the chain, or takes it up again, from what the world holds. */
  start(world: World): Walker;
  /** What others do before the n-th third of a step. */
  meanwhile?(world: World, third: number): void;
  /** Takes up what was stopped, to its end. Default: by `takeUp`. */
  end?(world: World): void;
  /** What must hold in the end: it is finished or undone. `whole`: nothing was stopped. */
  holds(world: World, whole: boolean): void;
}

/**
 * Stops a chain after each third of its steps, for ever or until others have taken it up and come to the end. It must always be
 * finished or undone. One that comes to rest before it is stopped is begun again, which must be harmless.
 */
export const stopAnywhere = <World extends Streams>(chain: Stoppable<World>): void => {
  const { start, meanwhile, holds } = chain;
  const end = chain.end ?? ((world: World) => takeUp(world, () => start(world)));
  for (let stop = 0; stop <= LONG_ENOUGH; stop++) {
    for (const comesBack of [false, true]) {
      const world = chain.world();
      let walker = start(world);
      for (let third = 0; third < stop; third++) {
        meanwhile?.(world, third);
        if (walker.rest !== undefined) walker = start(world);
        walker.step();
      }
      end(world);
      if (comesBack) {
        walker.run();
        end(world);
      }
      holds(world, stop === LONG_ENOUGH);
    }
  }
};
