/** The database of an earlier commit, with work under way. `make-fixture.ts` makes it. */
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

export const FIXTURE = join(import.meta.dirname, 'fixture');
export const DUMP = join(FIXTURE, 'site.sql.gz');
export const ABOUT = join(FIXTURE, 'about.json');
/** What of a site's DATA_DIR is kept: its images, and its register of erasures. */
export const DATA = join(FIXTURE, 'data');

/** What every program on the fixture is given. Its secrets are no secrets. */
export const ENVIRONMENT = {
  MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  TICKET_SIGNING_KEY: Buffer.alloc(32, 2).toString('base64'),
  CHECKPOINT_SIGNING_KEY: Buffer.alloc(32, 3).toString('base64'),
  BASE_URL: 'http://localhost:3000',
  HOST: '127.0.0.1',
  DEMO: 'off',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
} as const;

/** Of which commit the programs were, and when. */
export const readAbout = async (): Promise<Readonly<Record<'commit' | 'madeAt', string>>> =>
  JSON.parse(await readFile(ABOUT, 'utf8'));

/**
 * Notes in `made.work` each job, mail and delivery that is made, also if it is done and deleted later: what is there twice was made twice.
 */
export const NOTE_WHAT_IS_MADE = `
  create schema made;
  create table made.work (queue text not null, id text not null);
  create function made.note() returns trigger language plpgsql security definer as $$
  begin
    insert into made.work values (tg_table_name, to_jsonb(new) ->> tg_argv[0]);
    return null;
  end $$;
  create trigger note_job after insert on app.job for each row execute function made.note('id');
  create trigger note_mail after insert on app.outbox for each row execute function made.note('key');
  create trigger note_delivery after insert on app.hook_delivery for each row execute function made.note('id');`;

/**
 * Makes the fixture as young as if its programs had been stopped just now: mails that are a day old, and deliveries that are older than
 * three, are given up. Events that the tree covers already stay as they are.
 */
const MAKE_YOUNG = `
  update app.outbox set created_at = created_at + $1::interval;
  update app.hook_delivery set created_at = created_at + $1::interval, asked_at = asked_at + $1::interval;
  update app.job set payload = jsonb_set(payload, '{since}', to_jsonb((payload ->> 'since')::timestamptz + $1::interval))
   where payload ? 'since';
  update log.event set recorded_at = recorded_at + $1::interval where position > (select size from app.tree)`;

/** Puts the fixture into an empty database and an empty folder. */
export const putBack = async (databaseUrl: string, dataDir: string): Promise<void> => {
  const { madeAt } = await readAbout();
  await mkdir(dataDir, { recursive: true });
  await cp(DATA, dataDir, { recursive: true });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(gunzipSync(await readFile(DUMP)).toString());
    for (const statement of MAKE_YOUNG.split(';'))
      await client.query(statement, [`${Date.now() - Date.parse(madeAt)} milliseconds`]);
  } finally {
    await client.end();
  }
};
