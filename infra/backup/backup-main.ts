import { configOrExit, runTool, unlessAborted } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { folderAndArgumentsOrExit } from '#infra/lib/arguments.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { backUp } from './back-up.ts';
import { missingImages } from './missing-images.ts';
import { proveSecrets } from './prove-secrets.ts';

const HELP = `Copies a site's log, keys, tables, secrets and images into a folder, which must be empty or missing.

  npm run backup -- FOLDER [--recipient KEY ...]

  --recipient KEY   encrypts it with age, for whoever has the identity of this public key (age1...); may be given several times.
                    npm run backup:identity -- FILE makes a pair.

It takes the same variables as the site, which may be running. Only its owner can read the folder: unless it is encrypted, whoever has
it has all personal data.
With other secrets than the site's, or without the folder of its pictures, it makes no backup.
Secrets that come from the environment (MASTER_KEY and others) are not in it. The log has to be in PostgreSQL.`;

const { folder, values } = folderAndArgumentsOrExit(HELP, {
  recipient: { type: 'string', multiple: true },
});
const recipients = values.recipient ?? [];
const config = configOrExit();
await runTool(async (life) => {
  if (config.eventStoreUrl)
    throw new CannotStart(
      'The log is in EventStoreDB, which has a backup of its own: see docs/operations/backup-and-restore.md.',
    );
  const { databaseUrl } = await siteDatabase(config, life);
  const { pool, close } = openDatabase(databaseUrl, { name: 'backup', max: 1 });
  life.onEnd(close);
  const { masterKey } = await proveSecrets(pool, config);
  const missing = await missingImages(pool, config.dataDir);
  const made = await unlessAborted(
    life.signal,
    backUp({
      databaseUrl,
      dataDir: config.dataDir,
      masterKey,
      folder,
      recipients,
      say: (line) => console.log(line),
    }),
  );
  console.log(
    `Backed up to ${folder}: log ${made.logId} as of ${made.madeAt}, ${made.images.length} files of images.`,
  );
  if (missing > 0)
    console.log(`${missing} pictures of the gallery are not in DATA_DIR, and so not in the backup.`);
  if (recipients.length > 0) console.log(`Encrypted for ${recipients.join(', ')}.`);
  if (made.secrets.length === 0)
    console.log('The secrets are in the environment, and not in the backup: keep them elsewhere.');
});
