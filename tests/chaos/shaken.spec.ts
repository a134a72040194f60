/**
 * A steady sale on the loopback EventStoreDB, whose nodes elect another leader again and again, lose their quorum, die and stand
 * still, while what is written is seen some milliseconds later. For an hour: `npm run chaos -- --shaken --minutes 60`.
 */
import { expect, it } from 'vitest';
import { runRound } from './round.ts';
import { shakenCluster } from './shaken.ts';

it('a shaken database loses no command, causes no decision on a wrong state, and needs no restart', {
  timeout: 600_000,
}, async () => {
  const shaken = await shakenCluster('spec', { electEvery: 3_000, loseQuorumEvery: 8_000 });
  try {
    const round = await runRound({
      seed: 'spec/shaken',
      shape: 'several',
      buyers: 100,
      tickets: 400,
      clients: 1,
      kills: { least: 0, most: 0 },
      between: [1_000, 4_000],
      holdFor: 8_000,
      patience: 500,
      unchecked: false,
      store: shaken,
      steady: 30_000,
    });
    expect(round.wrong, `the data is in ${round.folder}`).toEqual([]);
    expect(round.bookings).toBeGreaterThan(0);
    expect(shaken.shakes.elected).toBeGreaterThan(2);
    expect(shaken.shakes.leaderless).toBeGreaterThan(0);
  } finally {
    await shaken.stop();
  }
});
