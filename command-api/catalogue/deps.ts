import type { CommandDeps } from '#command-api/deps.ts';

/** What filling the catalogue needs. The admin's calls and the demo data come in by the same door. */
export type CatalogueDeps = Pick<CommandDeps, 'lane' | 'ids' | 'clock'>;
