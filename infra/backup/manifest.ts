import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { CannotStart } from '#infra/cannot-start.ts';

/** The file that says what a backup has. It is written last: a folder without it is no backup. */
export const MANIFEST = 'backup.json';

const manifest = z.object({
  form: z.literal('reprise-backup/1'),
  madeAt: z.string(),
  logId: z.string(),
  /** The migrations that the tables have. */
  migrations: z.array(z.string()),
  sequences: z.record(z.string(), z.string()),
  /** Each table's rows, in the order in which they can be put back, and the SHA-256 of its file. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
  /** The newest signed checkpoint of the log; null if nothing was signed yet. */
  checkpoint: z.nullable(z.string()),
  /** The site's own secrets that are in the backup. Others came from its environment. */
  secrets: z.array(z.string()),
  images: z.int(),
});
export type Manifest = z.infer<typeof manifest>;

/** The file of a table, within the backup. */
export const fileOf = (folder: string, table: string): string => join(folder, 'tables', `${table}.ndjson`);

/** Reads what a backup says of itself, and holds its files to that. @throws CannotStart */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((cause: unknown) => {
    throw new CannotStart(`${folder} is no backup, or one that was cut off: it has no ${MANIFEST}.`, {
      cause,
    });
  });
  let found: Manifest;
  try {
    found = z.parse(manifest, JSON.parse(text));
  } catch (cause) {
    throw new CannotStart(`${join(folder, MANIFEST)} can't be read.`, { cause });
  }
  for (const { name, sha256 } of found.tables) {
    const hash = createHash('sha256');
    try {
      for await (const piece of createReadStream(fileOf(folder, name))) hash.update(piece);
    } catch (cause) {
      throw new CannotStart(`The backup lacks ${fileOf(folder, name)}.`, { cause });
    }
    if (hash.digest('hex') !== sha256)
      throw new CannotStart(`${fileOf(folder, name)} is not as the backup wrote it.`);
  }
  return found;
};
