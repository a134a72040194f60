/** A short round of `npm run chaos`: fewer people, the same kills, the same judgement. */
import { describe, expect, it } from 'vitest';
import { type RoundOptions, runControl, runRound } from './round.ts';
import type { Shape } from './site.ts';

const small = (shape: Shape): RoundOptions => ({
  seed: `spec/${shape}`,
  shape,
  buyers: 200,
  tickets: 60,
  clients: 2,
  kills: { least: 5, most: 5 },
  between: [300, 1_200],
  holdFor: 4_000,
  patience: 500,
  unchecked: false,
});

describe('a sale during process kills', { timeout: 600_000 }, () => {
  it.each(['several', 'one'] as const)('sells every ticket once: %s', async (shape) => {
    const round = await runRound(small(shape));
    expect(round.wrong, `the data is in ${round.folder}`).toEqual([]);
    expect(round.sold).toBe(60);
    expect(Object.values(round.kills).reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(5);
    expect(round.acknowledged).toBeGreaterThan(0);
  });

  it('oversells without the revision check, so the other rounds prove something', async () => {
    const control = await runControl({ ...small('several'), holdFor: 60_000 });
    expect(control.sold).toBeGreaterThan(60);
    expect(control.wrong).toContain(`${control.sold} of 60 tickets are sold`);
  });
});
