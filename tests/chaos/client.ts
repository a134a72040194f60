/** A process full of buyers. The harness starts several; it is told over the channel of `fork`. */
import { setMaxListeners } from 'node:events';
import { chanceOf } from '#tests/kit/chance.ts';
import type { Person } from '#tests/kit/prepared-sale.ts';
import { type Acknowledged, Buyer, type BuyerDeps } from './buyer.ts';

export interface Assignment extends Omit<BuyerDeps, 'chance' | 'over' | 'acknowledged' | 'odd' | 'counted'> {
  readonly seed: string;
  readonly buyers: readonly Person[];
}

export interface ClientReport {
  readonly acknowledged: readonly Acknowledged[];
  readonly odd: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** What the harness says: first the work, and once that nothing is left to try for. */
export type ToClient = Assignment | 'over';

const run = async (assignment: Assignment, over: AbortSignal): Promise<ClientReport> => {
  const acknowledged: Acknowledged[] = [];
  const odd: string[] = [];
  const counts: Record<string, number> = {};
  const { buyers, seed, ...rest } = assignment;
  const chance = chanceOf(seed);
  await Promise.all(
    buyers.map((who, index) =>
      new Buyer(who, {
        ...rest,
        chance: chance.child(index),
        over,
        acknowledged: (what) => acknowledged.push(what),
        odd: (what) => odd.push(what),
        counted: (status) => {
          counts[status] = (counts[status] ?? 0) + 1;
        },
      }).run(),
    ),
  );
  return { acknowledged, odd, counts };
};

const over = new AbortController();
// Everybody who waits listens.
setMaxListeners(0, over.signal);
process.on('message', (message: ToClient) => {
  if (message === 'over') {
    over.abort();
    return;
  }
  run(message, over.signal).then((report) => {
    process.send?.(report, () => process.exit(0));
  });
});
