import { createHash, createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { canonicalJson } from '#infra/event-log/canonical-json.ts';
import { deriveKey } from '#infra/keys/cipher.ts';
import { parseSecret } from '#infra/keys/files.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';
import { type Opener, openerFor } from './envelope.ts';

/** Written last: a folder without it is not a backup. */
export const MANIFEST = 'backup.json';

const FIRST_FORM = 'reprise-backup/1';
const facts = {
  madeAt: z.string(),
  logId: z.string(),
  migrations: z.array(z.string()),
  sequences: z.record(z.string(), z.string()),
  /** In restore order. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
  /** The newest; null if there is none. */
  checkpoint: z.nullable(z.string()),
  recipients: z._default(z.array(z.string()), []),
};
/** Rejects paths that would leave the folder. */
const fileName = z.string().check(z.refine((name) => name === basename(name) && name !== '..'));
const files = z.array(z.object({ name: fileName, sha256: z.string() }));
const manifest = z.object({
  form: z.literal('reprise-backup/2'),
  ...facts,
  /** Only those in the data folder; others came from the environment. */
  secrets: files,
  images: files,
  /** HMAC-SHA-256 of the other fields' canonical JSON, by a key derived from the master key. */
  mac: z.string(),
});
export type Manifest = z.infer<typeof manifest>;

const firstManifest = z.object({
  form: z.literal(FIRST_FORM),
  ...facts,
  secrets: z.array(fileName),
  images: z.int(),
});
type FirstManifest = z.infer<typeof firstManifest>;

export const macOf = (masterKey: Uint8Array, about: Omit<Manifest, 'mac'>): string =>
  createHmac('sha256', deriveKey(masterKey, 'backup manifest')).update(canonicalJson(about)).digest('hex');

export const fileOf = (folder: string, table: string): string => join(folder, 'tables', `${table}.ndjson`);
export const secretIn = (folder: string, name: string): string => join(folder, 'secrets', name);
export const imageIn = (folder: string, name: string): string => join(folder, 'images', name);

export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest | FirstManifest;
  readonly secrets: readonly string[];
  readonly images: readonly string[];
  readonly opener: Opener;
}

export interface OpenBackupOptions {
  readonly identity?: string | undefined;
  readonly masterKey?: Uint8Array | undefined;
  /** Accept a backup without proof that this site wrote it. */
  readonly unsigned?: boolean | undefined;
}

const readManifest = async (folder: string): Promise<Manifest | FirstManifest> => {
  const written = await readFile(join(folder, MANIFEST), 'utf8').catch((cause: unknown) => {
    throw new CannotStart(`${folder} is no backup, or one that was cut off: it has no ${MANIFEST}.`, {
      cause,
    });
  });
  try {
    return z.parse(z.union([manifest, firstManifest]), JSON.parse(written));
  } catch (cause) {
    throw new CannotStart(`${join(folder, MANIFEST)} can't be read.`, { cause });
  }
};

const checkFile = async (file: string, sha256: string): Promise<void> => {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) hash.update(piece);
  } catch (cause) {
    throw new CannotStart(`The backup lacks ${file}.`, { cause });
  }
  if (hash.digest('hex') !== sha256) throw new CannotStart(`${file} is not as the backup wrote it.`);
};

const masterKeyIn = async (folder: string, opener: Opener): Promise<Uint8Array> =>
  parseSecret('MASTER_KEY', await text(await opener.read(secretIn(folder, 'MASTER_KEY'))));

const IF_YOU_KNOW = 'If you know that it is the site’s own, say --unsigned.';

const proveWriter = async (
  folder: string,
  found: Manifest | FirstManifest,
  opener: Opener,
  given: Uint8Array | undefined,
): Promise<void> => {
  if (found.form === FIRST_FORM)
    throw new CannotStart(`The backup was made by an earlier version, which signed nothing. ${IF_YOU_KNOW}`);
  const { mac, ...about } = found;
  const isWithin = about.secrets.some(({ name }) => name === 'MASTER_KEY');
  const masterKey = given ?? (isWithin ? await masterKeyIn(folder, opener) : undefined);
  if (!masterKey) throw new CannotStart(`MASTER_KEY is missing: it is not in the backup. ${IF_YOU_KNOW}`);
  if (!isSameSecret(mac, macOf(masterKey, about)))
    throw new CannotStart(
      `${join(folder, MANIFEST)} is not as the site wrote it, or MASTER_KEY is not the one that it had then. ${IF_YOU_KNOW}`,
    );
};

const countedImages = async (folder: string, count: number, opener: Opener): Promise<readonly string[]> => {
  const stored = count === 0 ? [] : await readdir(join(folder, 'images'));
  if (stored.length !== count) throw new CannotStart(`The backup has ${stored.length} of ${count} images.`);
  return stored.map((name) => basename(name, opener.stored('')));
};

export const openBackup = async (
  folder: string,
  { identity, masterKey, unsigned = false }: OpenBackupOptions = {},
): Promise<Backup> => {
  const found = await readManifest(folder);
  const opener = await openerFor(found.recipients, identity);
  const isFirst = found.form === FIRST_FORM;
  if (!unsigned) await proveWriter(folder, found, opener, masterKey);
  const checked = found.tables.map(({ name, sha256 }) => ({ file: fileOf(folder, name), sha256 }));
  if (!isFirst) {
    for (const { name, sha256 } of found.secrets) checked.push({ file: secretIn(folder, name), sha256 });
    for (const { name, sha256 } of found.images) checked.push({ file: imageIn(folder, name), sha256 });
  }
  for (const { file, sha256 } of checked) await checkFile(opener.stored(file), sha256);
  return {
    folder,
    manifest: found,
    opener,
    secrets: isFirst ? found.secrets : found.secrets.map(({ name }) => name),
    images: isFirst
      ? await countedImages(folder, found.images, opener)
      : found.images.map(({ name }) => name),
  };
};
