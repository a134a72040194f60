import { type Answer, areSteps, type Chain, isOrder, type Order } from '#domain/kernel/chain.ts';
import type { ActingHandler } from './acting.ts';

const MOST_GROUPS = 120;

const carryOut = async ({ aggregate, id, command }: Order, acting: ActingHandler): Promise<Answer> => {
  if (command === undefined) {
    const { state } = await acting.state(aggregate, id);
    return { aggregate, state, news: false };
  }
  const outcome = await acting.ask(aggregate, id, command);
  if (!outcome.ok) return outcome.rejection;
  return { aggregate, state: outcome.state, news: outcome.events.length > 0 };
};

/** Runs the process until it rests. Safe to interrupt and repeat, in any process, also after an error of the command handler or `call`. */
export const runChain = async <View, Step extends { readonly do: string }, Rest, Call, Reply>(
  chain: Chain<View, Step, Rest, Call, Reply>,
  known: View,
  acting: ActingHandler,
  call?: (call: Call) => Promise<Reply>,
): Promise<{ readonly rest: Rest; readonly view: View }> => {
  let view = known;
  const take = async (step: Step): Promise<Answer | Reply> => {
    const order = chain.order(view, step);
    const answer = isOrder(order) ? await carryOut(order, acting) : await call?.(order);
    if (answer === undefined) throw new Error(`nobody answers what ${chain.name} asks besides streams`);
    return answer;
  };
  for (let groups = 0; groups < MOST_GROUPS; groups++) {
    const steps = chain.next(view);
    if (!areSteps(steps)) return { rest: steps, view };
    const taken = await Promise.all(steps.map(async (step) => ({ step, answer: await take(step) })));
    view = taken.reduce((before, { step, answer }) => chain.learn(before, step, answer), view);
  }
  throw new Error(`${chain.name} did not come to rest in ${MOST_GROUPS} groups of steps`);
};
