import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { finishErasures } from '#command-api/accounts/erasure.ts';
import { account } from '#domain/account/account.ts';
import { adminCityCalls } from '#domain/contracts/admin-places.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { backUp } from '#infra/backup/back-up.ts';
import { fileOf, type Manifest, readManifest } from '#infra/backup/manifest.ts';
import { eraseAgain, restoreFiles, restoreTables, verifyRestored } from '#infra/backup/restore.ts';
import { readErasureRegister } from '#infra/keys/erasure-register.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

/** Its name has a separator of lines in it, as pasted text may. */
const CITY = { name: 'Bury\u2028St Edmunds', state: 'Suffolk', country: 'England' };

let site: Site;
let folder: string;
let manifest: Manifest;
let kept: Member;
let gone: Member;
beforeAll(async () => {
  site = await startSite();
  [kept, gone] = [await site.member('user', 'Klara'), await site.member('user', 'Gustav')];
  await gone.browser.post('/api/newsletter/subscribe', { email: gone.email });
  const superuser = await site.member('superuser', 'Sue');
  await superuser.browser.ask(adminCityCalls.create, { body: CITY });
  const { database, databaseUrl, config } = site.foundation;
  await eventually(async () =>
    expect((await database.pool.query('select from app.tree_checkpoint')).rowCount).toBeGreaterThan(0),
  );
  await mkdir(join(config.dataDir, 'images'), { recursive: true });
  await writeFile(join(config.dataDir, 'images', 'one.webp'), 'an image');
  folder = join(await freshFolder(), 'backup');
  manifest = await backUp({ databaseUrl, dataDir: config.dataDir, folder });
  await restore();
  // Erased after the backup was made.
  expect((await gone.browser.call('DELETE', '/api/profile')).status).toBe(200);
});

let back: Site;
/** Starts a site on what was backed up. */
const restore = async (): Promise<void> => {
  const [urls, dataDir] = [{ databaseUrl: await freshDatabase() }, await freshFolder()];
  await restoreTables(folder, manifest, urls.databaseUrl);
  await restoreFiles(folder, manifest, dataDir);
  back = await startSite({ env: { DATA_DIR: dataDir }, urls });
};

describe('a backup', () => {
  it('is nobody else’s to read, and goes into an empty folder only', async () => {
    const paths = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    );
    expect(paths.length).toBeGreaterThan(20);
    for (const { parentPath, name } of paths)
      if (!parentPath.endsWith('images'))
        expect((await stat(join(parentPath, name))).mode & 0o077, name).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
    const { databaseUrl, config } = site.foundation;
    const again = backUp({ databaseUrl, dataDir: config.dataDir, folder });
    await expect(again).rejects.toThrow(/is not empty/);
  });

  it('comes back whole: every row, the log with its proof, keys, secrets and images', async () => {
    const { foundation } = back;
    const { events, proven } = await verifyRestored(foundation, manifest);
    expect(events).toBe(manifest.tables.find(({ name }) => name === 'log.event')?.rows);
    expect(proven).toBeGreaterThan(0);
    expect((await back.deps.lane.state(account, kept.id)).state).toMatchObject({ email: kept.email });
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

  it('brings back nobody who was erased since it was made', async () => {
    const register = await readErasureRegister(join(site.foundation.config.dataDir, 'erasures'));
    expect(register).toContain(gone.id);
    expect(register.some((subject) => subject.startsWith('newsletter-'))).toBe(true);
    const { deps } = back;
    expect((await deps.lane.state(account, gone.id)).state.email).toBe(gone.email);
    expect(await eraseAgain(back.foundation, register)).toBe(1);
    expect(await deps.keys.fetch(register.map((subject) => ({ subject, version: 1 })))).toEqual(
      register.map(() => 'gone'),
    );
    const { pool } = back.foundation.database;
    // It is finished some moments later by itself, in a process that is not about to start.
    await pool.query(`update app.erasure set asked_at = asked_at - interval '1 minute'`);
    await finishErasures(deps, (error) => {
      throw error;
    });
    expect((await deps.lane.state(account, gone.id)).state.erased).toBe(true);
    expect((await deps.lane.state(emailClaim, deps.emailId(gone.email))).state).toBeNull();
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

  it('goes into an empty database only', async () => {
    const again = restoreTables(folder, manifest, site.foundation.databaseUrl);
    await expect(again).rejects.toThrow(/a site in this database already/);
    const older = { ...manifest, migrations: [...manifest.migrations, '999-of-the-future'] };
    await expect(restoreTables(folder, older, await freshDatabase())).rejects.toThrow(/newer version/);
  });

  it('is not taken for good where its log is not what was signed', async () => {
    const { foundation } = back;
    const { pool } = foundation.database;
    await pool.query(
      `update log.event set data = replace(data, '"user"', '"admin"') where type = 'AccountRegistered'`,
    );
    await expect(verifyRestored(foundation, manifest)).rejects.toThrow(
      /does not fit its tree in \d+ places, the first of them entry \d+ \(changed\)/,
    );
  });

  it('is refused where it was changed or cut off', async () => {
    await expect(readManifest(await freshFolder())).rejects.toThrow(/is no backup/);
    expect(await readManifest(folder)).toEqual(manifest);
    await appendFile(fileOf(folder, 'log.event'), '\n');
    await expect(readManifest(folder)).rejects.toThrow(/is not as the backup wrote it/);
  });
});
