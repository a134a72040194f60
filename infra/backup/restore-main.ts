import { resolve } from 'node:path';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { configOrExit, runTool, unlessAborted } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { readErasureRegister } from '#infra/keys/erasure-register.ts';
import { missingSecrets, parseSecret } from '#infra/keys/files.ts';
import { folderAndArgumentsOrExit } from '#infra/lib/arguments.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { lockDataDir } from '#infra/lib/data-dir-lock.ts';
import { createLogger } from '#infra/lib/logger.ts';
import { endRestoring } from '#infra/postgres/unfinished-restore.ts';
import { demandEmpty } from './back-up.ts';
import { openBackup } from './manifest.ts';
import { endSignIns, eraseAgain, restoreFiles, restoreTables, verifyRestored } from './restore.ts';

const HELP = `Puts a backup back, verifies it, and erases again who was erased since it was made.

  npm run restore -- FOLDER --erasures FILE [--identity FILE] [--unsigned]

  --erasures FILE   the register of erasures of the site that was backed up: its ERASURE_REGISTER, or "erasures" in its DATA_DIR.
                    "none" if nobody was erased since. Unset: ERASURE_REGISTER.
  --identity FILE   the key of an encrypted backup, as npm run backup:identity or age-keygen wrote it.
  --unsigned        takes a backup that nothing shows to be the site's own, such as one of an earlier version.

It takes the variables that the site had when the backup was made, MASTER_KEY above all. DATA_DIR must be empty, and so must be the database. The read models are made by the next start.`;

const { folder, values } = folderAndArgumentsOrExit(HELP, {
  erasures: { type: 'string' },
  identity: { type: 'string' },
  unsigned: { type: 'boolean' },
});
const config = configOrExit();
await runTool(async (life) => {
  if (config.eventStoreUrl)
    throw new CannotStart('EVENT_STORE_URL is set: restore into PostgreSQL, then npm run log:copy.');
  const register = values.erasures ?? config.erasureRegister;
  if (register === undefined)
    throw new CannotStart(`Say with --erasures where the register of erasures is.\n\n${HELP}`);
  const erased = register === 'none' ? [] : await readErasureRegister(resolve(register));
  await demandEmpty(config.dataDir, 'The data folder');
  const { MASTER_KEY: given } = config.secrets;
  const masterKey = given === undefined ? undefined : parseSecret('MASTER_KEY', given);
  const backup = await openBackup(folder, { ...values, masterKey });
  const missing = missingSecrets(config.secrets, backup.secrets);
  if (missing.length > 0)
    throw new CannotStart(
      `${missing.join(', ')} must be set to what the site had: the backup does not have it. Nothing was touched.`,
    );
  const say = (line: string) => console.log(line);
  // Before the tables: of two restores only one continues, and an unwritable folder fails early.
  life.onEnd(await lockDataDir(config.dataDir));
  const urls = await siteDatabase(config, life, { make: true });
  const unlessEnded = <Result>(work: Promise<Result>) => unlessAborted(life.signal, work);
  await unlessEnded(restoreTables(backup, urls.ownerUrl ?? urls.databaseUrl, say));
  await unlessEnded(restoreFiles(backup, config.dataDir));
  const logger = createLogger({ name: 'restore', level: 'warn' });
  const foundation = await layFoundation({ name: 'restore', config, ...urls, logger, restores: true });
  life.onEnd(() => foundation.close());
  const { events, proven } = await unlessEnded(verifyRestored(foundation, backup.manifest));
  say(
    `${events} events are as they were, ${proven} of them proven by the newest checkpoint; every key opens what it sealed.`,
  );
  const again = await unlessEnded(eraseAgain(foundation, erased));
  say(`${erased.length} erased keys are destroyed, ${again} of accounts that the backup still had.`);
  await endSignIns(foundation);
  await endRestoring(foundation.database.pool);
  say('All sessions are ended: everybody signs in anew.');
  say('Start the site: it makes the read models, and finishes those erasures.');
});
