import { performance } from 'node:perf_hooks';
import { pause } from './outage.ts';

/** For how long the event loop is looked at, in milliseconds, and from which share of it on it is busy. */
const LOOK = 20;
const BUSY = 0.75;
/** Work that can wait goes on after so many milliseconds, however busy the event loop is: nothing waits for ever. */
const LONGEST = 1_000;

/**
 * Resolves when this process has little to do: work that can wait asks before each piece of it, so that what people wait for goes
 * first.
 */
export const quietMoment = async (over: AbortSignal): Promise<void> => {
  for (let waited = 0; waited < LONGEST && !over.aborted; waited += LOOK) {
    const before = performance.eventLoopUtilization();
    await pause(LOOK, over);
    if (performance.eventLoopUtilization(before).utilization < BUSY) return;
  }
};
