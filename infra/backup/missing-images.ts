import { readdir } from 'node:fs/promises';
import type { Pool } from 'pg';
import { imageFolder } from '#infra/images/image-store.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';

/**
 * How many pictures of the site's gallery a data folder lacks. Where the secrets come from the environment, nothing else shows
 * that a data folder is not the site's, and a backup with it would be found out only by its restore.
 * @throws CannotStart where it has no folder for pictures, though the gallery has some
 */
export const missingImages = async (pool: Pick<Pool, 'query'>, dataDir: string): Promise<number> => {
  // A site that was restored has no read models before its first start.
  const { rowCount: isProjected } = await pool.query(
    `select from pg_tables where (schemaname, tablename) = ('read', 'image')`,
  );
  if (!isProjected) return 0;
  const { rows } = await pool.query<{ path: string }>('select distinct path from read.image');
  if (rows.length === 0) return 0;
  const folder = imageFolder(dataDir);
  const stored = await readdir(folder).catch((cause: unknown) => {
    throw new CannotStart(
      `${folder} can't be read, and the gallery has pictures: set DATA_DIR to that of the site. If they are lost, make the folder.`,
      { cause },
    );
  });
  const names = new Set(stored);
  return rows.filter(({ path }) => !names.has(path.slice('/images/'.length))).length;
};
