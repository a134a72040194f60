import { getPriority } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEsdbServer } from '#tests/conformance/esdb-server.ts';
import { run as hotSale } from './hot-sale.ts';
import { openStage, type Stage } from './stage.ts';
import { run as visibility } from './visibility.ts';

let store: Awaited<ReturnType<typeof startEsdbServer>>;
let stage: Stage;
beforeAll(async () => {
  store = await startEsdbServer();
  stage = await openStage(store.url);
});
afterAll(async () => {
  await stage.close();
  await store.stop();
});

/** Four sales with all their processes: beside the rest of the sweep they take minutes. In milliseconds. */
const LONG = 400_000;

it('`npm run bench -- hot-sale --store` measures with the log in another store', {
  timeout: LONG,
}, async () => {
  const rows = await hotSale(stage, { duration: 4_000, buyers: 1_220, mailed: 20 });
  for (const { what, figure } of rows) expect.soft(figure, what).toBeGreaterThanOrEqual(0);
  expect(rows.find(({ what }) => what === 'hot sale: events a purchase')?.figure).toBeGreaterThanOrEqual(5);
});

it('`npm run bench -- visibility --store`, too', { timeout: LONG }, async () => {
  const rows = await visibility(stage, { duration: 500, buyers: 300 });
  for (const { what, figure } of rows) expect.soft(figure, what).toBeGreaterThan(0);
});

it('a projector on a shared machine has a lower priority than purchases', async () => {
  const projector = await stage.play('projector', await stage.freshDatabase());
  expect(getPriority(projector.pid)).toBe(Math.max(5, getPriority()));
  await projector.stop();
});
