/** Kills at random, with -9, whatever a site is made of, and lets it come back. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '#tests/kit/chance.ts';
import type { Site } from './site.ts';

export interface Havoc {
  /** Ends it once at least so many were killed, and brings everything back. Resolves to what was killed, by name. */
  finish(atLeast: number): Promise<Readonly<Record<string, number>>>;
}

export interface HavocOptions {
  /** Milliseconds from one kill to the next, the least and the most. */
  readonly between: readonly [number, number];
  /** After so many nothing more is killed. */
  readonly most: number;
}

/** Begins to kill. */
export const wreak = (site: Site, chance: Chance, { between, most }: HavocOptions): Havoc => {
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
  const killProcess = async (process: Site['processes'][number]): Promise<void> => {
    await process.kill();
    count(process.name);
    await pause(chance.between(0, 1_000));
    process.start();
    await process.answers();
  };
  const strike = async (): Promise<void> => {
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
    async finish(atLeast) {
      enough = Math.min(atLeast, most);
      await run;
      return kills;
    },
  };
};
