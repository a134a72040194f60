/**
 * A sweep is one rule under many conditions: each page at each width, each way in which a call may fail, a thousand orders of events.
 * `npm run endure` runs sweeps whole; `npm test` runs a few cases of each, those that differ most. `vitest.config.ts` tells which it is.
 */
export const isWhole = process.env.SWEEPS === 'whole';

/** What a sweep goes through: `few` in `npm test`, `all` in `npm run endure`. */
export const sweep = <Cases>(few: Cases, all: Cases): Cases => (isWhole ? all : few);

/** The files that have sweeps, or specs that only `npm run endure` runs: the other projects run a part of each. */
export const SWEEPS = [
  '**/*.property.spec.ts',
  'infra/foundation/process.spec.ts',
  'tests/reading.spec.ts',
  'tests/conformance/{copy,event-log}.spec.ts',
  'tests/browser/{access,audit,bad-connection,dialogs,door,keyboard,lists-and-forms}.spec.ts',
  'tests/browser/{mishaps,missing-parts,pages,proof,refused-storage,rendered,second-step,shared-browser,story}.spec.ts',
];
