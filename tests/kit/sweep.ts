/**
 * A sweep is one rule under many conditions: each page at each width, each way in which a call may fail, a thousand orders of events.
 * `npm run endure` runs sweeps whole; `npm test` runs a few cases of each, those that differ most. `vitest.config.ts` tells which it is.
 */
export const isWhole = process.env.SWEEPS === 'whole';

/** What a sweep goes through: `few` in `npm test`, `all` in `npm run endure`. */
export const sweep = <Cases>(few: Cases, all: Cases): Cases => (isWhole ? all : few);
