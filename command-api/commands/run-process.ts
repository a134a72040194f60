import {
  type Answer,
  areSteps,
  isStreamRequest,
  type ProcessManager,
  type StreamRequest,
} from '#domain/kernel/process.ts';
import type { ActingHandler } from './acting.ts';

const MOST_GROUPS = 120;

const carryOut = async (
  { aggregate, id, command }: StreamRequest,
  acting: ActingHandler,
): Promise<Answer> => {
  if (command === undefined) {
    const { state } = await acting.state(aggregate, id);
    return { aggregate, state, news: false };
  }
  const outcome = await acting.ask(aggregate, id, command);
  if (!outcome.ok) return outcome.rejection;
  return { aggregate, state: outcome.state, news: outcome.events.length > 0 };
};

/** Runs the process until it rests. Safe to interrupt and repeat, in any process, also after an error of the command handler or `call`. */
export const runProcess = async <View, Step extends { readonly do: string }, Rest, Call, Reply>(
  process: ProcessManager<View, Step, Rest, Call, Reply>,
  known: View,
  acting: ActingHandler,
  call?: (call: Call) => Promise<Reply>,
): Promise<{ readonly rest: Rest; readonly view: View }> => {
  let view = known;
  const take = async (step: Step): Promise<Answer | Reply> => {
    const request = process.request(view, step);
    const answer = isStreamRequest(request) ? await carryOut(request, acting) : await call?.(request);
    if (answer === undefined) throw new Error(`nobody answers what ${process.name} asks besides streams`);
    return answer;
  };
  for (let groups = 0; groups < MOST_GROUPS; groups++) {
    const steps = process.next(view);
    if (!areSteps(steps)) return { rest: steps, view };
    const taken = await Promise.all(steps.map(async (step) => ({ step, answer: await take(step) })));
    view = taken.reduce((before, { step, answer }) => process.apply(before, step, answer), view);
  }
  throw new Error(`${process.name} did not come to rest in ${MOST_GROUPS} groups of steps`);
};
