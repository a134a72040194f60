import { type Round, type RoundOptions, runRound } from './round.ts';

/** A killed process reads the truth again when it starts, so nobody is killed; holds last, so that nothing comes back. */
const UNCHECKED = { unchecked: true, kills: { least: 0, most: 0 }, afterwards: undefined } as const;

/**
 * The control: the same sale without the revision check, which must oversell. It is a race between two processes that don't see each other, and on
 * some runs they happen to; so it has three tries, each with a seed of its own.
 */
export const runControl = async (options: RoundOptions, tries = 3): Promise<Round> => {
  for (let nth = 1; ; nth++) {
    const control = await runRound({ ...options, ...UNCHECKED, seed: `${options.seed}/control ${nth}` });
    if (control.sold > options.tickets || nth >= tries) return control;
  }
};
