import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { finishErasures } from '#command-api/accounts/erasure.ts';
import { account } from '#domain/account/account.ts';
import { booking } from '#domain/booking/booking.ts';
import { adminCityCalls } from '#domain/contracts/admin-places.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { newsletterKey } from '#domain/newsletter/events.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';
import { backUp } from '#infra/backup/back-up.ts';
import { fileOf, type Manifest, openBackup } from '#infra/backup/manifest.ts';
import { missingImages } from '#infra/backup/missing-images.ts';
import { eraseAgain, restoreFiles, restoreTables, verifyRestored } from '#infra/backup/restore.ts';
import { createIds } from '#infra/ids/ids.ts';
import { readErasureRegister } from '#infra/keys/erasure-register.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { endRestoring } from '#infra/postgres/unfinished-restore.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';
import { bought, DAY, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

/** Its name has a separator of lines in it, as pasted text may. */
const CITY = { name: 'Bury\u2028St Edmunds', state: 'Suffolk', country: 'England' };

const run = promisify(execFile);

let site: Site;
let folder: string;
let manifest: Manifest;
let kept: Member;
let gone: Member;
let superuser: Member;
beforeAll(async () => {
  site = await startSite();
  [kept, gone] = [await site.member('user', 'Klara'), await site.member('user', 'Gustav')];
  await gone.browser.post('/api/newsletter/subscribe', { email: gone.email });
  superuser = await site.member('superuser', 'Sue');
  await superuser.browser.ask(adminCityCalls.create, { body: CITY });
  const { database, databaseUrl, config, secrets } = site.foundation;
  const { masterKey } = secrets;
  await eventually(async () =>
    expect((await database.pool.query('select from app.tree_checkpoint')).rowCount).toBeGreaterThan(0),
  );
  await mkdir(join(config.dataDir, 'images'), { recursive: true });
  await writeFile(join(config.dataDir, 'images', 'one.webp'), 'an image');
  folder = join(await freshFolder(), 'backup');
  manifest = await backUp({ databaseUrl, dataDir: config.dataDir, masterKey, folder });
  await restore();
  // Erased after the backup was made.
  expect((await gone.browser.call('DELETE', '/api/profile')).status).toBe(200);
});

const inDatabase = async (url: string, work: (pool: pg.Pool) => Promise<unknown>): Promise<void> => {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await work(pool);
  await pool.end();
};

let back: Site;
/** Starts a site on what was backed up. */
const restore = async (): Promise<void> => {
  const [urls, dataDir] = [{ databaseUrl: await freshDatabase() }, await freshFolder()];
  const backup = await openBackup(folder);
  await restoreTables(backup, urls.databaseUrl);
  await restoreFiles(backup, dataDir);
  await inDatabase(urls.databaseUrl, endRestoring);
  back = await startSite({ env: { DATA_DIR: dataDir }, urls });
};

/** Finishes what was erased again, which happens some moments later by itself, in a process that is not about to start. */
const finishAgain = async (): Promise<void> => {
  await back.foundation.database.pool.query(
    `update app.erasure set asked_at = asked_at - interval '1 minute' where done_at is null`,
  );
  await finishErasures(back.deps, (error) => {
    throw error;
  });
};

describe('a backup', () => {
  it('is readable by its owner only, and is written into an empty folder only', async () => {
    const paths = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    );
    expect(paths.length).toBeGreaterThan(20);
    for (const { parentPath, name } of paths)
      if (!parentPath.endsWith('images'))
        expect((await stat(join(parentPath, name))).mode & 0o077, name).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
    const { databaseUrl, config, secrets } = site.foundation;
    const { masterKey } = secrets;
    const again = backUp({ databaseUrl, dataDir: config.dataDir, masterKey, folder });
    await expect(again).rejects.toThrow(/is not empty/);
  });

  it('is refused with other secrets than the site’s, and creates none', async () => {
    const { databaseUrl, config } = site.foundation;
    const other = randomBytes(32).toString('base64');
    const into = join(await freshFolder(), 'backup');
    const backingUp = async (env: Readonly<Record<string, string>>) => {
      const program = new Program('infra/backup/backup-main.ts', {
        args: [into],
        env: { DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, ...env },
      });
      return [await program.ended, program.output];
    };
    const nowhere = await freshFolder();
    const missing = [1, expect.stringMatching(/^\w+_KEY is neither set nor in .*keys: .*\n$/)];
    expect(await backingUp({ DATA_DIR: nowhere })).toEqual(missing);
    expect(await backingUp({ DATA_DIR: nowhere, MASTER_KEY: other })).toEqual(missing);
    expect(await readdir(nowhere)).toEqual([]);
    expect(await backingUp({ MASTER_KEY: other })).toEqual([
      1,
      expect.stringMatching(/^MASTER_KEY is not the one .*\n$/),
    ]);
    expect(await backingUp({ TICKET_SIGNING_KEY: other })).toEqual([
      1,
      expect.stringMatching(/^TICKET_SIGNING_KEY is not the one .*\n$/),
    ]);
    expect(await backingUp({ CHECKPOINT_SIGNING_KEY: other })).toEqual([
      1,
      expect.stringMatching(/^CHECKPOINT_SIGNING_KEY is not the one .*\n$/),
    ]);
    await expect(readdir(into)).rejects.toThrow(/no such file/);
    expect(await backingUp({})).toEqual([0, expect.stringContaining('Backed up to')]);
  });

  it('is refused if DATA_DIR has no folder of images, and the error says how many are missing', async () => {
    const { database, config } = site.foundation;
    const { pool } = database;
    await pool.query(
      `insert into read.image (id, original_name, use, path, format, bytes, width, height, created_at)
       select id, '', 'event', '/images/' || name, 'webp', 1, 1, 1, now()
         from unnest(array[1, 2], array['one.webp', 'gone.webp']) as image (id, name)`,
    );
    const lack = await missingImages(pool, config.dataDir);
    const other = missingImages(pool, await freshFolder());
    await expect(other).rejects.toThrow(/images can't be read, and the gallery has pictures/);
    await pool.query('delete from read.image');
    expect([lack, await missingImages(pool, await freshFolder())]).toEqual([1, 0]);
    const restored = openDatabase(await freshDatabase('tables'));
    atTheEnd(restored.close);
    expect(await missingImages(restored.pool, config.dataDir)).toBe(0);
  });

  it('is restored completely: every row, the log with its proof, keys, secrets and images', async () => {
    const { foundation } = back;
    const { events, proven } = await verifyRestored(foundation, manifest);
    expect(events).toBe(manifest.tables.find(({ name }) => name === 'log.event')?.rows);
    expect(proven).toBeGreaterThan(0);
    expect((await back.deps.handler.state(account, kept.id)).state).toMatchObject({ email: kept.email });
    expect(await readFile(join(foundation.config.dataDir, 'images', 'one.webp'), 'utf8')).toBe('an image');
    expect(foundation.secrets.masterKey).toEqual(site.foundation.secrets.masterKey);
    const reader = await back.signedIn({
      ...{ accountId: kept.id, role: 'user', emailVerified: true, profileComplete: true },
    });
    await eventually(async () =>
      expect(await reader.get('/api/auth/user')).toMatchObject({ status: 200, body: { email: kept.email } }),
    );
    const sue = await back.member('superuser', 'Sue');
    expect(await sue.browser.ask(adminCityCalls.list)).toMatchObject([CITY]);
    // New rows get numbers of their own, and the log goes on.
    await back.member('user', 'Nora');
  });

  it('leads to new ids beyond those allocated after it was made', async () => {
    const far = async (name: 'booking' | 'listing' | 'city') => {
      const given = Number(manifest.sequences[`app.${name}_id`] ?? 0);
      return (await createIds(back.foundation.database.pool).next(name)) - given;
    };
    expect(await far('booking')).toBeGreaterThan(1_000_000);
    for (const name of ['listing', 'city'] as const) expect(await far(name)).toBeGreaterThan(10_000);
  });

  it('restores no person who was erased since', async () => {
    const register = await readErasureRegister(join(site.foundation.config.dataDir, 'erasures'));
    const asked = { subject: gone.id, at: expect.any(String), by: gone.id };
    expect(register).toContainEqual(asked);
    expect(register.some(({ subject }) => subject.startsWith('newsletter-'))).toBe(true);
    const { deps } = back;
    expect((await deps.handler.state(account, gone.id)).state.email).toBe(gone.email);
    expect(await eraseAgain(back.foundation, register)).toBe(1);
    expect(await deps.keys.fetch(register.map(({ subject }) => ({ subject, version: 1 })))).toEqual(
      register.map(() => 'gone'),
    );
    const { pool } = back.foundation.database;
    await finishAgain();
    expect((await deps.handler.state(account, gone.id)).state.erased).toBe(true);
    expect((await deps.handler.state(emailClaim, deps.emailId(gone.email))).state).toBeNull();
    await back.caughtUp();
    for (const table of ['read.person', 'read.subscriber', 'app.credential', 'app.session']) {
      const { rows } = await pool.query(`select to_jsonb(held)::text as text from ${table} held`);
      for (const { text } of rows)
        for (const trace of [gone.id, gone.email]) expect(text).not.toContain(trace);
    }
    // The receipt has the name that it had.
    const { rows } = await site.foundation.database.pool.query('select receipt from app.erasure');
    const params = { receipt: rows[0].receipt };
    expect(await back.visitor().ask(profileCalls.erasureReceipt, { params })).toMatchObject({
      erasedAt: expect.any(String),
      destroyed: { sessions: 1 },
    });
    expect(await eraseAgain(back.foundation, register)).toBe(0);
  });

  it('restores no sessions, because some may have ended since', async () => {
    const env = { DATA_DIR: await freshFolder(), DATABASE_URL: await freshDatabase() };
    const args = [folder, '--erasures', 'none'];
    const restoring = new Program('infra/backup/restore-main.ts', { args, env });
    expect(await restoring.ended, restoring.output).toBe(0);
    expect(manifest.tables.find(({ name }) => name === 'app.session')?.rows).toBeGreaterThan(0);
    const { pool, close } = openDatabase(env.DATABASE_URL);
    atTheEnd(close);
    for (const table of ['session', 'mail_token', 'rate_limit'])
      expect((await pool.query(`select from app.${table}`)).rowCount, table).toBe(0);
  });

  it('restores no superuser who was erased since', async () => {
    const successor = await back.member('superuser', 'Sana');
    await eraseAgain(back.foundation, [{ subject: superuser.id }]);
    await finishAgain();
    const { state } = await back.deps.handler.state(superusers, SUPERUSERS);
    expect(state.has(superuser.id)).toBe(false);
    expect(state.has(successor.id)).toBe(true);
  });

  it('restored by other means can be cleaned by a tool that repeats the erasures', async () => {
    const { databaseUrl, database, config } = back.foundation;
    const { id } = await back.member('user', 'Rosa');
    const erasures = join(await freshFolder(), 'erasures');
    await writeFile(erasures, `${id} 2026-03-01T12:00:00.000Z\n`);
    const env = { DATA_DIR: config.dataDir, DATABASE_URL: databaseUrl, ERASURE_REGISTER: erasures };
    const said = async (file: string) => {
      const program = new Program(file, { env });
      await program.ended;
      return program.output;
    };
    expect(await said('infra/start/doctor.ts')).toMatch(/WRONG {2}erasures: 1 whom the register/);
    expect(await said('infra/backup/erase-again-main.ts')).toMatch(/1 of accounts that stood here/);
    expect((await database.pool.query('select from app.session')).rowCount).toBe(0);
    await finishAgain();
    expect(await said('infra/start/doctor.ts')).toMatch(/well {3}erasures/);
    expect((await back.deps.handler.state(account, id)).state.erased).toBe(true);
  });

  it('pays erased people the refunds of the time of their erasure, however late it is restored', async () => {
    const { listed } = await openHall(back);
    // Within a week of the start the policy gives 80%.
    const event = await listed(inTime(3 * DAY));
    const [early, removed] = [await back.member('user', 'Edda'), await back.member('user', 'Rolf')];
    const at = new Date(Date.now() - 10 * DAY).toISOString();
    const bookings = [await bought(back, early, event, 1), await bought(back, removed, event, 1)];
    const erased = [
      { subject: early.id, at, by: early.id },
      { subject: removed.id, at: new Date().toISOString(), by: superuser.id },
    ];
    expect(await eraseAgain(back.foundation, erased)).toBe(2);
    await finishAgain();
    const ended = bookings.map(
      async ({ id }) => (await back.deps.handler.state(booking, id)).state.cancellation,
    );
    expect(await Promise.all(ended)).toMatchObject([
      { by: 'account-erased', percent: 100 },
      { by: 'account-removed', percent: 100 },
    ]);
    const { dataDir } = back.foundation.config;
    // So that they can be restored once more.
    expect(await readErasureRegister(join(dataDir, 'erasures'))).toEqual(expect.arrayContaining(erased));
  });

  it('leaves no erased newsletter addresses in restored read models', async () => {
    const { log, database } = back.foundation;
    const { browser } = await back.member('superuser', 'Sven');
    const subscribe = async (email: string) => {
      expect((await browser.post('/api/newsletter/subscribe', { email })).status).toBe(200);
      const subscription = back.deps.emailId(email);
      const [first] = await Array.fromAsync(log.readStream(`newsletter-${subscription}`));
      return { subscription, key: newsletterKey(JSON.parse(first?.data ?? '').key) };
    };
    const nell = await subscribe('nell@people.example');
    const abby = await subscribe('abby@people.example');
    // Came back by herself after she was erased: the register has her former key only.
    await browser.call('DELETE', `/api/admin/newsletter/subscribers/${abby.subscription}`);
    await subscribe('abby@people.example');
    await back.caughtUp();
    const emails = async () =>
      (await database.pool.query('select email from read.subscriber order by email')).rows;
    expect(await emails()).toEqual([{ email: 'abby@people.example' }, { email: 'nell@people.example' }]);
    await eraseAgain(back.foundation, [{ subject: nell.key }, { subject: abby.key }]);
    expect(await emails()).toEqual([{ email: 'abby@people.example' }]);
  });

  it('has the erasures completed that only the log knows of', async () => {
    const { pool } = back.foundation.database;
    const { id, browser } = await back.member('user', 'Olga');
    expect((await browser.call('DELETE', '/api/profile')).status).toBe(200);
    expect((await back.deps.handler.state(account, id)).state.erased).toBe(true);
    // As tables from before it have it.
    await pool.query('delete from app.erasure where account_id = $1', [id]);
    await back.deps.credentials.remove(id);
    await pool.query(
      `insert into app.federated_identity (issuer, subject, account_id, linked_at) values ('https://accounts.google.com', 'olga', $1, now())`,
      [id],
    );
    await pool.query('insert into app.recovery_code (account_id, code_hash) values ($1, $2)', [
      id,
      Buffer.alloc(32),
    ]);
    expect(await eraseAgain(back.foundation, [{ subject: id }])).toBe(1);
    await finishAgain();
    for (const table of ['federated_identity', 'recovery_code'])
      expect((await pool.query(`select from app.${table} where account_id = $1`, [id])).rowCount, table).toBe(
        0,
      );
    const { rows } = await pool.query('select done_at from app.erasure where account_id = $1', [id]);
    expect(rows).toEqual([{ done_at: expect.any(Date) }]);
    expect(await eraseAgain(back.foundation, [{ subject: id }])).toBe(0);
  });

  it('leaves out images that are added or removed meanwhile, and fails if images cannot be read', async () => {
    const { databaseUrl, secrets } = site.foundation;
    const { masterKey } = secrets;
    const dataDir = await freshFolder();
    const images = join(dataDir, 'images');
    await mkdir(images);
    await writeFile(join(images, 'one.webp'), 'an image');
    await writeFile(join(images, 'two.webp.b1946ac9.part'), 'half of');
    // Listed, and gone when it is opened.
    await symlink(join(images, 'nowhere'), join(images, 'three.webp'));
    const into = join(await freshFolder(), 'backup');
    const { images: copied } = await backUp({ databaseUrl, dataDir, masterKey, folder: into });
    expect(copied.map(({ name }) => name)).toEqual(['one.webp']);
    expect(await readdir(join(into, 'images'))).toEqual(['one.webp']);
    await rm(images, { recursive: true });
    await writeFile(images, 'no folder');
    const failing = backUp({ databaseUrl, dataDir, masterKey, folder: join(await freshFolder(), 'backup') });
    await expect(failing).rejects.toThrow(/not a directory/);
  });

  it('cannot serve as a site if its restore was interrupted, because erased people and old sessions are still in it', async () => {
    const databaseUrl = await freshDatabase();
    const backup = await openBackup(folder);
    await restoreTables(backup, databaseUrl);
    const dataDir = await freshFolder();
    await restoreFiles(backup, dataDir);
    const start = () => startSite({ env: { DATA_DIR: dataDir }, urls: { databaseUrl } });
    await expect(start()).rejects.toThrow(/^A backup was not put back to the end/);
    await inDatabase(databaseUrl, endRestoring);
    await start();
  });

  it('is restored into an empty database only', async () => {
    const backup = await openBackup(folder);
    const again = restoreTables(backup, site.foundation.databaseUrl);
    await expect(again).rejects.toThrow(/a site in this database already/);
    const older = { ...manifest, migrations: [...manifest.migrations, '999-of-the-future'] };
    await expect(restoreTables({ ...backup, manifest: older }, await freshDatabase())).rejects.toThrow(
      /newer version/,
    );
  });

  it('is refused if its log does not match its signed tree', async () => {
    const { foundation } = back;
    const { pool } = foundation.database;
    await pool.query(
      `update log.event set data = replace(data, '"user"', '"admin"') where type = 'AccountRegistered'`,
    );
    await expect(verifyRestored(foundation, manifest)).rejects.toThrow(
      /does not fit its tree in \d+ places, the first of them entry \d+ \(changed\)/,
    );
  });

  it('is refused if an image was changed or is missing', async () => {
    const image = join(folder, 'images', 'one.webp');
    await writeFile(image, 'an imag');
    await expect(openBackup(folder)).rejects.toThrow(/one\.webp is not as the backup wrote it/);
    await rm(image);
    await expect(openBackup(folder)).rejects.toThrow(/lacks .*one\.webp/);
    await writeFile(image, 'an image');
    expect((await openBackup(folder)).manifest).toEqual(manifest);
  });

  it('is refused if its manifest was changed', async () => {
    const file = join(folder, 'backup.json');
    const written = await readFile(file, 'utf8');
    const events = fileOf(folder, 'log.event');
    const lines = await readFile(events);
    await appendFile(events, lines.subarray(0, lines.indexOf('\n') + 1));
    const sha256 = createHash('sha256')
      .update(await readFile(events))
      .digest('hex');
    const changed = manifest.tables.map((table) =>
      table.name === 'log.event' ? { ...table, rows: table.rows + 1, sha256 } : table,
    );
    await writeFile(file, JSON.stringify({ ...manifest, tables: changed }));
    await expect(openBackup(folder)).rejects.toThrow(/not as the site wrote it/);
    await writeFile(events, lines);
    await writeFile(file, written);
    const masterKey = new Uint8Array(32);
    await expect(openBackup(folder, { masterKey })).rejects.toThrow(/MASTER_KEY is not the one/);
    expect((await openBackup(folder, { masterKey, unsigned: true })).manifest).toEqual(manifest);
  });

  it('of the first format is accepted only with --unsigned, because it has no proof', async () => {
    const { mac: _, ...rest } = manifest;
    const secrets = manifest.secrets.map(({ name }) => name);
    const first = { ...rest, form: 'reprise-backup/1', secrets, images: 1 };
    const file = join(folder, 'backup.json');
    const written = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify(first));
    await expect(openBackup(folder)).rejects.toThrow(/say --unsigned/);
    const backup = await openBackup(folder, { unsigned: true });
    expect(backup.images).toEqual(['one.webp']);
    await restoreFiles(backup, await freshFolder());
    await writeFile(join(folder, 'images', 'two.webp'), 'another');
    await expect(openBackup(folder, { unsigned: true })).rejects.toThrow(/2 of 1 images/);
    await rm(join(folder, 'images', 'two.webp'));
    await writeFile(file, written);
  });

  it('is refused if it was changed or truncated', async () => {
    await expect(openBackup(await freshFolder())).rejects.toThrow(/is no backup/);
    expect((await openBackup(folder)).manifest).toEqual(manifest);
    await appendFile(fileOf(folder, 'log.event'), '\n');
    await expect(openBackup(folder)).rejects.toThrow(/is not as the backup wrote it/);
  });
});

describe('an encrypted backup', () => {
  const key = async (): Promise<{ readonly file: string; readonly recipient: string }> => {
    const file = join(await freshFolder(), 'identity');
    const { stdout } = await run(process.execPath, ['infra/backup/identity-main.ts', file]);
    expect((await stat(file)).mode & 0o077).toBe(0);
    return { file, recipient: stdout.trim() };
  };
  const filesIn = async (of: string): Promise<readonly string[]> =>
    (await readdir(of, { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));

  let sealed: string;
  let ours: Awaited<ReturnType<typeof key>>;
  let spare: Awaited<ReturnType<typeof key>>;
  beforeAll(async () => {
    [ours, spare] = [await key(), await key()];
    sealed = join(await freshFolder(), 'backup');
    const { databaseUrl, config, secrets } = site.foundation;
    const { masterKey } = secrets;
    const recipients = [ours.recipient, spare.recipient];
    await backUp({ databaseUrl, dataDir: config.dataDir, masterKey, folder: sealed, recipients });
  });

  it('reveals nothing, and is restored with any of its keys', async () => {
    for (const file of await filesIn(sealed))
      if (!file.endsWith('backup.json')) {
        expect(file).toMatch(/\.age$/);
        const text = await readFile(file, 'latin1');
        expect(text).toMatch(/^age-encryption\.org\/v1\n/);
        expect(text).not.toContain(kept.email);
      }
    for (const { file } of [ours, spare]) {
      const [databaseUrl, dataDir] = [await freshDatabase(), await freshFolder()];
      const backup = await openBackup(sealed, { identity: file });
      await restoreTables(backup, databaseUrl);
      await restoreFiles(backup, dataDir);
      expect(await readFile(join(dataDir, 'images', 'one.webp'), 'utf8')).toBe('an image');
      const from = join(site.foundation.config.dataDir, 'keys');
      expect(backup.secrets.length).toBeGreaterThan(0);
      for (const name of backup.secrets) {
        const path = join(dataDir, 'keys', name);
        expect(await readFile(path)).toEqual(await readFile(join(from, name)));
        expect((await stat(path)).mode & 0o077).toBe(0);
      }
    }
  });

  it('reports a missing or wrong key, and a damaged file', async () => {
    await expect(openBackup(sealed)).rejects.toThrow(`encrypted for ${ours.recipient}`);
    const [broken, missing] = [join(await freshFolder(), 'broken'), join(await freshFolder(), 'missing')];
    await writeFile(broken, 'AGE-SECRET-KEY-1NO');
    await expect(openBackup(sealed, { identity: broken })).rejects.toThrow(/is no identity of age/);
    await expect(openBackup(sealed, { identity: missing })).rejects.toThrow(/no such file/);
    await expect(openBackup(sealed, { identity: (await key()).file })).rejects.toThrow(/does not open it/);
    const backup = await openBackup(sealed, { identity: ours.file });
    const image = join(sealed, 'images', 'one.webp.age');
    const bytes = await readFile(image);
    await writeFile(image, bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1));
    const restored = restoreFiles(backup, await freshFolder());
    await expect(restored).rejects.toThrow(/one\.webp\.age is not as the backup wrote it/);
    const opened = openBackup(sealed, { identity: ours.file });
    await expect(opened).rejects.toThrow(/one\.webp\.age is not as the backup wrote it/);
    await writeFile(image, bytes);
    await appendFile(`${fileOf(sealed, 'log.event')}.age`, '.');
    await expect(openBackup(sealed, { identity: ours.file })).rejects.toThrow(
      /is not as the backup wrote it/,
    );
  });

  it('is not started for an invalid recipient', async () => {
    const { databaseUrl, config, secrets } = site.foundation;
    const { masterKey } = secrets;
    const into = join(await freshFolder(), 'backup');
    for (const recipient of ['', 'age1', 'somebody@example.com', `${ours.recipient}x`])
      await expect(
        backUp({ databaseUrl, dataDir: config.dataDir, masterKey, folder: into, recipients: [recipient] }),
      ).rejects.toThrow(/is no recipient of age/);
    await expect(readdir(into)).rejects.toThrow(/no such file/);
  });
});
