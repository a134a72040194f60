import { type Round, type RoundOptions, runRound } from './round.ts';

/** The control: the same sale without the revision check, which must oversell. Nobody is killed, since a process that starts reads the truth. */
export const runControl = (options: RoundOptions): Promise<Round> =>
  runRound({
    ...options,
    unchecked: true,
    kills: { least: 0, most: 0 },
    afterwards: undefined,
    seed: `${options.seed}/control`,
  });
