import { test } from 'vitest';
import { isWhole } from './sweep.ts';

/**
 * A spec that only `npm run endure` runs: of a screen what goes wrong beside the way. What the screen is for is in `npm test`. The file
 * has to be among `SWEEPS`.
 */
export const endure = test.runIf(isWhole);
