import { type Answer, areSteps, type Chain, isOrder, type Order } from '#domain/kernel/chain.ts';
import type { ActingLane } from './acting.ts';

/** More groups of steps than any chain needs. A chain that takes more has a defect. */
const MOST_GROUPS = 60;

export interface ChainOptions<View, Call, Reply, Stop> {
  /** Answers what the chain asks of others than streams. Needed if it asks anything. */
  call?(call: Call): Promise<Reply>;
  /** Returns why to stop before the chain rests, or undefined to go on. */
  until?(view: View): Stop | undefined;
}

const carryOut = async ({ aggregate, id, command }: Order, acting: ActingLane): Promise<Answer> => {
  if (command === undefined) {
    const { state } = await acting.state(aggregate, id);
    return { aggregate, state, news: false };
  }
  const outcome = await acting.ask(aggregate, id, command);
  if (!outcome.ok) return outcome.rejection;
  return { aggregate, state: outcome.state, news: outcome.events.length > 0 };
};

/**
 * Takes the missing steps of a chain until it rests; the steps of a group run concurrently. It may be interrupted anywhere, and run
 * again by any process. It throws what the lane and `call` throw; then it has to be run again.
 */
export const runChain = async <View, Step extends { readonly do: string }, Rest, Call, Reply, Stop = never>(
  chain: Chain<View, Step, Rest, Call, Reply>,
  known: View,
  acting: ActingLane,
  { call, until }: ChainOptions<View, Call, Reply, Stop> = {},
): Promise<{ readonly rest: Rest | Stop; readonly view: View }> => {
  let view = known;
  const take = async (step: Step): Promise<Answer | Reply> => {
    const order = chain.order(view, step);
    const answer = isOrder(order) ? await carryOut(order, acting) : await call?.(order);
    if (answer === undefined) throw new Error(`nobody answers what ${chain.name} asks besides streams`);
    return answer;
  };
  for (let groups = 0; groups < MOST_GROUPS; groups++) {
    const stop = until?.(view);
    if (stop !== undefined) return { rest: stop, view };
    const steps = chain.next(view);
    if (!areSteps(steps)) return { rest: steps, view };
    const taken = await Promise.all(steps.map(async (step) => ({ step, answer: await take(step) })));
    view = taken.reduce((before, { step, answer }) => chain.learn(before, step, answer), view);
  }
  throw new Error(`${chain.name} did not come to rest in ${MOST_GROUPS} groups of steps`);
};
