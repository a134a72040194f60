/** The whole product in one process, with PostgreSQL, a test payment provider, mails as files, and a demo. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import '#infra/lib/parent.ts';
import { startModestly } from './modestly.ts';

startModestly();

const HELP = `Starts Reprise, all of it, on one port.

  npm start

Variables: PORT, BASE_URL, DATA_DIR, DATABASE_URL, EVENT_STORE_URL, DEMO, and more in docs/operations/variables.md.
Without any it listens on http://localhost:3000 and keeps its data in .data.`;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}

const { configOrExit, runService, unlessAborted } = await import('#infra/foundation/process.ts');
const { buildClient } = await import('./build-client.ts');
const { lockDataDir } = await import('#infra/lib/data-dir-lock.ts');
const { startEverything } = await import('./everything.ts');
const { accounts, DEMO_PASSWORD } = await import('#infra/identity/demo-accounts.ts');
const { keepEmbedded, startEmbedded } = await import('#infra/postgres/embedded.ts');
const { makeRoles } = await import('#infra/postgres/roles.ts');
const { tellFailure } = await import('#infra/lib/cannot-start.ts');
const { repeat } = await import('#infra/lib/every.ts');
const { createLogger } = await import('#infra/lib/logger.ts');
const { cleanFiles } = await import('#infra/postgres/clean-files.ts');

const CLEAN_EVERY = 20_000;

const config = configOrExit();
const began = performance.now();

await runService(async ({ signal, onEnd }) => {
  const first = !existsSync(join(config.dataDir, 'postgres'));
  signal.addEventListener('abort', () => console.log('\nReprise is stopping.'), { once: true });
  console.log(first ? 'Reprise is being set up. This takes a moment, once.' : 'Reprise is starting.');
  onEnd(await lockDataDir(config.dataDir));
  // After the lock: a second start must not replace the client that the first serves.
  await buildClient(signal);
  signal.throwIfAborted();

  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({ dataDir: join(config.dataDir, 'postgres') });
  if (embedded) {
    onEnd(() => embedded.stop());
    const watch = keepEmbedded(embedded, {
      dataDir: join(config.dataDir, 'postgres'),
      onRestart: () => console.error('PostgreSQL had ended, and was started again.'),
      onError: (error) => console.error(tellFailure(error)),
    });
    onEnd(() => watch.stop());
  }
  signal.throwIfAborted();

  const urls = embedded
    ? await makeRoles(embedded.url)
    : { databaseUrl: config.databaseUrl ?? '', ownerUrl: config.databaseOwnerUrl };
  const everything = await startEverything({ config, ...urls });
  onEnd(() => everything.stop());
  if (embedded) {
    const logger = createLogger({ name: 'reprise', level: config.logLevel });
    const cleaning = repeat(logger, CLEAN_EVERY, 'files of the erased', () => cleanFiles(embedded.url));
    onEnd(() => cleaning.stop());
  }
  await unlessAborted(signal, everything.ready);

  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`\nReprise is ready after ${seconds} s:  ${config.baseUrl}\n`);
  if (config.demo) {
    console.log(`Demo accounts, all with the password ${DEMO_PASSWORD}`);
    for (const { email, role } of accounts) console.log(`  ${email.padEnd(26)} ${role}`);
    console.log('\nPay with the test card 4242 4242 4242 4242, any future date, any CVC.');
  }
  if (await everything.isUnowned().catch(() => false)) {
    console.log('It has no superuser yet. Make your account in another terminal, then sign in:');
    console.log('  npm run create-superuser -- --email you@example.com --first-name You\n');
  }
  if (!config.mail.smtpUrl) console.log(`Mails are written to ${join(config.dataDir, 'outbox')}.`);
  console.log('Ctrl-C stops it.');
});
