import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#infra/config/config.ts';
import { loadSecrets } from '#infra/keys/files.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { DataDirInUse, lockDataDir } from '#infra/lib/data-dir-lock.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { holdsSite } from '#infra/postgres/migrate.ts';
import { type DatabaseUrls, makeRoles } from '#infra/postgres/roles.ts';
import type { Life } from './process.ts';

const lockIfFree = async (dataDir: string): Promise<(() => void) | undefined> => {
  try {
    return await lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof DataDirInUse) return undefined;
    throw error;
  }
};

const noSiteIn = (where: string): CannotStart =>
  new CannotStart(`There is no site in ${where}: set DATA_DIR or DATABASE_URL to those of the site.`);

const openDatabase = async (
  { databaseUrl, databaseOwnerUrl, dataDir }: Config,
  { onEnd, signal }: Life,
  make: boolean,
): Promise<DatabaseUrls> => {
  if (databaseUrl) return { databaseUrl, ownerUrl: databaseOwnerUrl };
  const folder = join(dataDir, 'postgres');
  if (!make && !existsSync(folder)) throw noSiteIn(dataDir);
  const unlock = await lockIfFree(dataDir);
  if (unlock) onEnd(unlock);
  const embedded = await startEmbedded({ dataDir: folder });
  if (unlock) onEnd(() => embedded.stop());
  signal.throwIfAborted();
  return makeRoles(embedded.url);
};

/**
 * Uses the running embedded database, or starts it for the tool's lifetime.
 * @param make creates a missing site. Default: false, so that wrong variables create nothing
 * @throws CannotStart where there is no site, or its database doesn't start
 * @throws BadSecret where a secret is neither set nor in its DATA_DIR
 */
export const siteDatabase = async (
  config: Config,
  life: Life,
  { make = false }: { readonly make?: boolean } = {},
): Promise<DatabaseUrls> => {
  const urls = await openDatabase(config, life, make);
  if (make) return urls;
  if (!(await holdsSite(urls.databaseUrl))) throw noSiteIn('this database');
  await loadSecrets({ ...config, env: config.secrets, make: false });
  return urls;
};
