import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createCommandDeps } from '#command-api/deps/deps.ts';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { seedAccounts } from './accounts.ts';

const key = () => randomBytes(32).toString('base64');
const keys = { MASTER_KEY: key(), TICKET_SIGNING_KEY: key(), CHECKPOINT_SIGNING_KEY: key() };
const PRODUCTION = { NODE_ENV: 'production', BASE_URL: 'https://reprise.example', PAYMENTS: 'sandbox' };

let databaseUrl: string;
let dataDir: string;
beforeAll(async () => {
  databaseUrl = await freshDatabase();
  dataDir = await freshFolder();
});

const start = (env: Record<string, string>) =>
  layFoundation({
    name: 'spec',
    config: readConfig({ DATA_DIR: dataDir, ...keys, ...env }),
    databaseUrl,
    logger: silentLogger(),
  });

test('production does not start with demo data in the log, even if the demo was killed half-way', async () => {
  await (await start(PRODUCTION)).close();

  const site = await start({ DEMO: 'on' });
  const commands = createCommandDeps(site);
  const at = site.clock();
  const context = {
    commandId: '',
    actor: { kind: 'system', id: 'demo' },
    at: at.toISOString(),
    correlationId: 'demo',
  } as const;
  await seedAccounts({
    ...commands,
    over: new AbortController().signal,
    clock: () => at,
    context,
  });
  await commands.handler.drain();
  await site.close();

  await expect(start(PRODUCTION)).rejects.toThrow('made by the demo');
});
