/** `npm start`, killed with -9 while people buy, and started again on the PostgreSQL that it left behind. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { freePort } from '#infra/lib/machine.ts';
import { sandboxAccount } from '#infra/payments/sandbox/account.ts';
import { startEmbedded, stopEmbedded } from '#infra/postgres/embedded.ts';
import { prepareSale } from '#tests/kit/prepared-sale.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { type Crowd, sendOut } from './crowd.ts';
import { unsettled } from './evidence.ts';
import { Supervised } from './processes.ts';
import { within } from './round.ts';
import { verify } from './verify.ts';

const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).reverse()) await clean();
});

const postmasterOf = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  )[0] ?? '';

it('a power cut loses nothing that was acknowledged', { timeout: 600_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-power-cut-'));
  left.push(() => rm(dataDir, { recursive: true, force: true }));
  // The account that PostgreSQL runs as must get in, or its data would be elsewhere.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const BASE_URL = `http://localhost:${port}`;
  const env = { DATA_DIR: dataDir, BASE_URL, DEMO: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
  const site = new Supervised({
    name: 'start',
    program: 'infra/start/main.ts',
    env,
    port,
    logs: dataDir,
    falls: () => 0,
  });
  left.push(() => stopEmbedded(join(dataDir, 'postgres'), 'immediate'));
  left.push(() => site.kill());
  site.start();
  await site.answers();

  const embedded = await startEmbedded({ dataDir: join(dataDir, 'postgres') });
  expect(embedded.adopted).toBe(true);
  const foundation = await layFoundation({
    name: 'spec',
    config: readConfig(env),
    databaseUrl: embedded.url,
    logger: silentLogger(),
  });
  let crowd: Crowd | undefined;
  try {
    const sale = await prepareSale(foundation, { capacity: 1_000, buyers: 100 });
    const { publishableKey } = await sandboxAccount(foundation.database.pool);
    crowd = sendOut(1, {
      seed: 'power cut',
      buyers: sale.buyers,
      commands: [site.origin],
      queries: site.origin,
      listingId: sale.listingId,
      publishableKey,
      patience: 500,
      arriveWithin: 3_000,
    });
    const before = await postmasterOf(dataDir);
    expect(before).not.toBe('');
    for (let nth = 0; nth < 2; nth++) {
      // Any moment will do: people arrive for three seconds, and each takes a while.
      await pause(600 + Math.random() * 1_400);
      await site.kill();
      site.start();
      await site.answers();
    }
    expect(await postmasterOf(dataDir)).toBe(before);
    const { acknowledged, odd, counts } = await crowd.done;
    expect(await within(60_000, () => unsettled(foundation, sale.listingId))).toEqual([]);
    const { wrong, evidence } = await verify(foundation, sale, acknowledged, { soldOut: false });
    expect([...wrong, ...odd, ...site.surprises]).toEqual([]);
    expect(evidence.bookings.size).toBeGreaterThan(40);
    expect(counts.broken).toBeGreaterThan(0);
  } finally {
    crowd?.kill();
    await foundation.close();
  }
  // PostgreSQL alone is killed: the site that runs starts it again.
  const killed = await postmasterOf(dataDir);
  process.kill(Number(killed), 'SIGKILL');
  const isWell = async (): Promise<boolean> =>
    ![killed, ''].includes(await postmasterOf(dataDir)) && (await fetch(`${site.origin}/readyz`)).ok;
  await expect.poll(isWell, { timeout: 120_000, interval: 100 }).toBe(true);
  expect(site.surprises).toEqual([]);
  // An ordinary end leaves no process behind.
  await site.stop();
  expect(await postmasterOf(dataDir)).toBe('');
});
