import { type Answer, type Chain, isOrder, isStep, type Order } from '#domain/kernel/chain.ts';
import type { ActingLane } from './acting.ts';

/** More steps than any chain needs. A chain that takes more has a defect. */
const MOST_STEPS = 60;

export interface ChainOptions<View, Call, Reply, Stop> {
  /** Answers what the chain asks of others than streams. Needed if it asks anything. */
  call?(call: Call): Promise<Reply>;
  /** Returns why to stop before the chain rests, or undefined to go on. */
  until?(view: View): Stop | undefined;
}

/** Asks a stream for what a step wants of it. Throws what the lane throws. */
export const carryOut = async ({ aggregate, id, command }: Order, acting: ActingLane): Promise<Answer> => {
  if (command === undefined) {
    const { state } = await acting.state(aggregate, id);
    return { aggregate, state, news: false };
  }
  const outcome = await acting.ask(aggregate, id, command);
  if (!outcome.ok) return outcome.rejection;
  return { aggregate, state: outcome.state, news: outcome.events.length > 0 };
};

/**
 * Takes the missing steps of a chain until it rests. It may be interrupted anywhere and run again by anybody. It throws what the lane
 * and `call` throw; then it has to be run again.
 */
export const runChain = async <View, Step extends { readonly do: string }, Rest, Call, Reply, Stop = never>(
  chain: Chain<View, Step, Rest, Call, Reply>,
  known: View,
  acting: ActingLane,
  { call, until }: ChainOptions<View, Call, Reply, Stop> = {},
): Promise<{ readonly rest: Rest | Stop; readonly view: View }> => {
  let view = known;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const stop = until?.(view);
    if (stop !== undefined) return { rest: stop, view };
    const step = chain.next(view);
    if (!isStep<Step>(step)) return { rest: step as Rest, view };
    const order = chain.order(view, step);
    const answer = isOrder(order) ? await carryOut(order, acting) : await call?.(order);
    if (answer === undefined) throw new Error(`nobody answers what ${chain.name} asks besides streams`);
    view = chain.learn(view, step, answer);
  }
  throw new Error(`${chain.name} did not come to rest in ${MOST_STEPS} steps`);
};
