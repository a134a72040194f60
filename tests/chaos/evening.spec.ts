/** A short evening at the door: see `tests/bench/evening.ts`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandService } from '#command-api/service.ts';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { createServer } from '#infra/http/server.ts';
import { openProjectorService } from '#projector/service.ts';
import { openQueryService } from '#query-api/service.ts';
import { type Place, playEvening, prepareEvening } from '#tests/bench/evening.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';

const SHORT = {
  ...{ tickets: 240, gates: 6, copies: 24, lasts: 240_000, pace: 20 },
  offline: { gates: 2, from: 20_000, until: 180_000 },
};

let place: Place;
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const config = readConfig({ DATA_DIR: await freshFolder(), RATE_LIMITS: 'off', DEMO: 'off' });
  const databaseUrl = await freshDatabase('tables');
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl, logger: silentLogger() });
  const prepared = await prepareEvening(foundation, SHORT);
  const projector = await openProjectorService(foundation);
  const queries = await openQueryService(foundation);
  const commands = await openCommandService(foundation, { origin: () => 'http://127.0.0.1:1' });
  const { sessions, limits, log, logger } = foundation;
  const app = await createServer({ config, sessions, limits, logId: log.id, logger });
  await commands.install(app);
  await queries.install(app);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  place = { ...prepared, commands: origin, queries: origin };
  const ends = [() => app.close(), () => commands.stop(), () => queries.stop(), () => projector.stop()];
  endings.push(...ends, () => foundation.close());
});
afterAll(async () => {
  for (const end of endings) await end();
});

it('an evening with offline gates admits each ticket once, and names each copy with its first scan', {
  timeout: 600_000,
}, async () => {
  const { wrong, conflicts, late } = await playEvening(place, SHORT);
  expect(wrong).toEqual([]);
  expect(conflicts).toBeGreaterThanOrEqual(12);
  expect(late).toBeGreaterThan(0);
});
