import { afterAll, expect, it } from 'vitest';
import { drawPoster } from './poster.ts';
import { openPosterDrawer } from './poster-drawer.ts';

const facts = {
  ...{ id: 7, category: 'dining', title: 'Oysters', date: '2031-12-04' },
  ...{ venue: 'Mackie Mayor', city: 'Manchester' },
};
const drawer = openPosterDrawer();
afterAll(() => drawer.close());

it('a poster drawn in a thread equals the one drawn without it, and is cached', async () => {
  const first = drawer.draw(facts);
  expect(await first).toBe(drawPoster(facts));
  // A row has more columns than the poster shows, and these may hold what can't be sent to a thread.
  const row = { ...facts, more: () => undefined };
  expect(drawer.draw(row)).toBe(first);
  expect(await drawer.draw({ ...facts, title: 'Mussels' })).not.toBe(await first);
});

it('a poster that cannot be drawn is not cached', async () => {
  const broken = { ...facts, date: 'never' };
  await expect(drawer.draw(broken)).rejects.toThrow(/Invalid time value/);
  await expect(drawer.draw(broken)).rejects.toThrow(/Invalid time value/);
});
