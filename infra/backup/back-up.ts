import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { imageFolder, PART } from '#infra/images/image-store.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { makeFolder } from '#infra/lib/make-folder.ts';
import { type Sealer, sealerFor } from './envelope.ts';
import { fileOf, MANIFEST, type Manifest, macOf } from './manifest.ts';
import { sequencesOf, tablesOf } from './tables.ts';

const PAGE = 500;

export interface BackUpOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly masterKey: Uint8Array;
  /** Created if missing; must be empty. */
  readonly folder: string;
  /** age public keys. Default: not encrypted. */
  readonly recipients?: readonly string[];
  say?(line: string): void;
}

export const demandEmpty = async (folder: string, what: string): Promise<void> => {
  const found = await readdir(folder).catch(() => []);
  if (found.length > 0) throw new CannotStart(`${what} ${folder} is not empty: nothing was touched.`);
};

/** Values keep PostgreSQL's text form, so that no precision is lost. */
const copyTable = async (client: pg.ClientBase, name: string, file: string, { write }: Sealer) => {
  let rows = 0;
  const lines = async function* () {
    await client.query(
      `declare page no scroll cursor for select to_jsonb(held)::text as line from ${name} held`,
    );
    for (;;) {
      const page = await client.query<{ line: string }>(`fetch ${PAGE} from page`);
      if (page.rows.length === 0) break;
      rows += page.rows.length;
      yield Buffer.from(page.rows.map(({ line }) => `${line}\n`).join(''));
    }
    await client.query('close page');
  };
  const sha256 = await write(file, Readable.from(lines()));
  return { name, rows, sha256 };
};

const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

const copyFiles = async (from: string, to: string, { write }: Sealer): Promise<Manifest['images']> => {
  const names = (await readdir(from).catch(unlessMissing)) ?? [];
  if (names.length > 0) await mkdir(to, { mode: 0o700 });
  const copied: Manifest['images'] = [];
  for (const name of names.filter((one) => !one.endsWith(PART))) {
    const file = await open(join(from, name)).catch(unlessMissing);
    if (!file) continue;
    copied.push({ name, sha256: await write(join(to, name), file.createReadStream()) });
  }
  return copied;
};

/**
 * All tables come from one snapshot, so every event has its keys; images never change and are copied
 * afterwards.
 * @throws CannotStart if the folder is not empty or a recipient is invalid
 */
export const backUp = async (options: BackUpOptions): Promise<Manifest> => {
  const { databaseUrl, dataDir, masterKey, folder, recipients = [], say } = options;
  const sealer = sealerFor(recipients);
  await demandEmpty(folder, 'The folder');
  await makeFolder(join(folder, 'tables'), 0o700);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'reprise backup' });
  client.on('error', () => undefined /* the query under way reports it */);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows: about } = await client.query<
      Pick<Manifest, 'madeAt' | 'logId' | 'migrations' | 'checkpoint'>
    >(
      `select to_jsonb(now()) #>> '{}' as "madeAt", (select id::text from log.identity) as "logId",
         (select array_agg(name order by name) from app.migration) as migrations,
         (select note from app.tree_checkpoint order by size desc limit 1) as checkpoint`,
    );
    const [facts] = about;
    if (!facts) throw new CannotStart('There is no site in this database.');
    const tables: Manifest['tables'] = [];
    for (const name of await tablesOf(client)) {
      const copied = await copyTable(client, name, fileOf(folder, name), sealer);
      tables.push(copied);
      if (copied.rows > 0) say?.(`${name}: ${copied.rows.toLocaleString('en-GB')} rows`);
    }
    const sequences = await sequencesOf(client);
    await client.query('commit');

    const secrets = await copyFiles(join(dataDir, 'keys'), join(folder, 'secrets'), sealer);
    const images = await copyFiles(imageFolder(dataDir), join(folder, 'images'), sealer);
    const unsigned: Omit<Manifest, 'mac'> = {
      form: 'reprise-backup/2',
      ...facts,
      sequences,
      tables,
      secrets,
      images,
      recipients: [...recipients],
    };
    const manifest = { ...unsigned, mac: macOf(masterKey, unsigned) };
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    return manifest;
  } finally {
    await client.end();
  }
};
