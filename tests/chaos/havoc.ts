/** Kills at random, with -9, whatever a site is made of, and lets it come back. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '#tests/kit/chance.ts';
import type { Site } from './site.ts';

/** An EventStoreDB that somebody else runs, and how its nodes are killed and started. */
export interface KillableStore {
  readonly url: string;
  /** How many nodes can be killed, from 1 on; one at a time. Default: none. */
  readonly nodes?: number;
  kill?(node: number): Promise<void>;
  start?(node: number): Promise<void>;
  /** What is done to it while people buy, beside the kills: it begins with the first buyer, and ends before the judgement. */
  readonly unrest?: { begin(): void; end(): Promise<void> };
}

/** Kills every `between` milliseconds, until `most` are killed. */
export const wreak = (
  site: Site,
  chance: Chance,
  {
    between,
    most,
    store,
  }: { between: readonly [number, number]; most: number; store: KillableStore | undefined },
) => {
  const kills: Record<string, number> = {};
  let enough = most;
  const count = (name: string): void => {
    kills[name] = (kills[name] ?? 0) + 1;
  };
  const total = (): number => Object.values(kills).reduce((sum, times) => sum + times, 0);
  const killPostgres = async (): Promise<void> => {
    await site.cluster.kill();
    count('postgres');
    await pause(chance.between(0, 1_200));
    await site.cluster.restart();
  };
  const killNode = async (): Promise<void> => {
    const node = 1 + Math.floor(chance.roll() * (store?.nodes ?? 0));
    await store?.kill?.(node);
    count(`node ${node}`);
    await pause(chance.between(0, 5_000));
    await store?.start?.(node);
  };
  const killProcess = async (process: Site['processes'][number]): Promise<void> => {
    await process.kill();
    count(process.name);
    await pause(chance.between(0, 1_000));
    process.start();
    await process.answers();
  };
  const strike = async (): Promise<void> => {
    if (store?.nodes && chance.roll() < 0.4) return killNode();
    const roll = chance.roll();
    if (roll < 0.22) return killPostgres();
    if (roll < 0.92) return killProcess(chance.pick(site.processes));
    // A power cut: everything at once.
    await Promise.all([killPostgres(), ...site.processes.map(killProcess)]);
  };
  const run = (async () => {
    while (total() < enough) {
      await pause(chance.between(...between));
      if (total() < enough) await strike();
    }
    await Promise.all(site.processes.map((process) => process.answers()));
  })();
  // Told to whoever calls `finish`.
  run.catch(() => undefined);
  return {
    /** Ends it once at least so many were killed, and brings everything back. Resolves to what was killed, by name. */
    async finish(atLeast: number): Promise<Readonly<Record<string, number>>> {
      enough = Math.min(atLeast, most);
      await run;
      return kills;
    },
  };
};
