import { setTimeout as pause } from 'node:timers/promises';

/** Far more than a busy machine needs, in milliseconds. */
const LONGEST = 180_000;

/** Asks until nothing is missing. @throws Error with what still is, after three minutes */
export const untilNothingIsMissing = async (missing: () => Promise<readonly string[]>): Promise<void> => {
  const deadline = Date.now() + LONGEST;
  for (;;) {
    const left = await missing();
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`after ${LONGEST / 1_000} s: ${left.join('; ')}`);
    await pause(100);
  }
};

/** Asks a program whether it can serve, until it can. */
export const untilReady = (origin: string): Promise<void> =>
  untilNothingIsMissing(async () => {
    const reply = await fetch(`${origin}/readyz`).catch(() => undefined);
    return reply?.ok ? [] : [`${origin} is ready: ${await reply?.text()}`];
  });
