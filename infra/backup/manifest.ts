import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { CannotStart } from '#infra/cannot-start.ts';
import { type Opener, openerFor } from './envelope.ts';

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
  /** For whom the files are encrypted; nobody in particular, where they are not. */
  recipients: z._default(z.array(z.string()), []),
});
export type Manifest = z.infer<typeof manifest>;

/** The file of a table, within the backup. */
export const fileOf = (folder: string, table: string): string => join(folder, 'tables', `${table}.ndjson`);

/** A backup that was found to be as it was written. */
export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly opener: Opener;
}

/**
 * Reads what a backup says of itself, and holds its tables to that.
 * @param identity the file with the key of an encrypted one @throws CannotStart
 */
export const openBackup = async (folder: string, identity?: string): Promise<Backup> => {
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
  const opener = await openerFor(found.recipients, identity);
  for (const { name, sha256 } of found.tables) {
    const file = opener.stored(fileOf(folder, name));
    const hash = createHash('sha256');
    try {
      for await (const piece of createReadStream(file)) hash.update(piece);
    } catch (cause) {
      throw new CannotStart(`The backup lacks ${file}.`, { cause });
    }
    if (hash.digest('hex') !== sha256) throw new CannotStart(`${file} is not as the backup wrote it.`);
  }
  // A key that doesn't fit is noticed before anything is put back.
  const [first] = found.tables;
  if (first) (await opener.read(fileOf(folder, first.name))).destroy();
  return { folder, manifest: found, opener };
};
