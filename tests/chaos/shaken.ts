/** A loopback EventStoreDB of three nodes that is never left in peace. */
import { setTimeout as pause } from 'node:timers/promises';
import { startEsdbCluster } from '#tests/conformance/esdb-cluster.ts';
import { chanceOf } from '#tests/kit/chance.ts';

export interface ShakenOptions {
  /** Milliseconds from one election to the next, and from one lost quorum to the next. */
  readonly electEvery: number;
  readonly loseQuorumEvery: number;
}

/** From one step to the next where a leader goes without a word: nodes notice within two seconds. */
const ELECTION = 2_000;

export const shakenCluster = async (seed: string, { electEvery, loseQuorumEvery }: ShakenOptions) => {
  const cluster = await startEsdbCluster();
  const chance = chanceOf(`${seed}/store`);
  // Its own, so that how often somebody reads does not change what is done to the nodes.
  const lags = chanceOf(`${seed}/lag`);
  cluster.store.lag = () => lags.between(1, 20);
  const over = new AbortController();
  /** What was done to it. */
  const shakes = { elected: 0, leaderless: 0 };
  const wait = (ms: number) => pause(ms, undefined, { signal: over.signal });
  /** The leader steps down, dies, or stands still; another one is elected, and the old one comes back as a follower. */
  const elect = async (): Promise<void> => {
    const { leader } = cluster;
    const how = chance.pick(['steps down', 'dies', 'stands still']);
    if (how === 'dies') await cluster.kill(leader);
    if (how === 'stands still') cluster.freeze(leader);
    if (how !== 'steps down') await wait(ELECTION);
    cluster.elect();
    shakes.elected += 1;
    await wait(chance.between(0, ELECTION));
    if (how === 'dies') await cluster.revive(leader);
    if (how === 'stands still') cluster.thaw(leader);
  };
  const loseQuorum = async (): Promise<void> => {
    cluster.loseQuorum();
    shakes.leaderless += 1;
    await wait(chance.between(ELECTION, 3 * ELECTION));
    cluster.elect();
  };
  const shake = async (): Promise<void> => {
    let nextLoss = Date.now() + loseQuorumEvery;
    for (;;) {
      await wait(electEvery);
      if (Date.now() >= nextLoss) {
        await loseQuorum();
        nextLoss = Date.now() + loseQuorumEvery;
      } else await elect();
    }
  };
  let shaking: Promise<void> | undefined;
  return {
    url: cluster.url,
    shakes,
    unrest: {
      begin(): void {
        shaking = shake().catch(() => undefined /* it is over */);
      },
      async end(): Promise<void> {
        over.abort();
        await shaking;
        // Whatever was under way: all are there again, and one leads.
        for (const node of [0, 1, 2]) {
          cluster.thaw(node);
          await cluster.revive(node);
        }
        cluster.elect();
      },
    },
    stop: () => cluster.stop(),
  };
};
