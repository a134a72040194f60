import { readdir } from 'node:fs/promises';
import type { Pool } from 'pg';
import { imageFolder } from '#infra/images/image-store.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';

/**
 * If secrets come from the environment, only this reveals a wrong data folder before a restore.
 * @throws CannotStart if the image folder is missing
 */
export const missingImages = async (pool: Pick<Pool, 'query'>, dataDir: string): Promise<number> => {
  // A restored site has no read models before its first start.
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
