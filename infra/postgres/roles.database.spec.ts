import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Config, readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { startEverything } from '#infra/start/everything.ts';
import { projections } from '#projector/projections/all.ts';
import { rebuild } from '#projector/rebuild/rebuild.ts';
import { dropOutdated, switchBack } from '#projector/rebuild/switch.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { type DatabaseUrls, makeRoles } from './roles.ts';

const logger = silentLogger();

/** Starts the site, has it ready, and does with its database what else it does there: a rebuild, and the way back. */
const serve = async (config: Config, urls: DatabaseUrls): Promise<void> => {
  const site = await startEverything({ config, ...urls, logger });
  const pool = new pg.Pool({ connectionString: urls.databaseUrl, max: 6 });
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl: urls.databaseUrl, logger });
  try {
    await site.ready;
    await eventually(async () => expect((await fetch(`${site.origin}/readyz`)).status).toBe(200));
    const { log, codec } = foundation;
    expect(await rebuild({ pool, log, codec, projections })).toMatchObject({ switched: true });
    await switchBack(pool, log);
    expect(await dropOutdated(pool, 0)).toEqual(['read_previous']);
  } finally {
    await pool.end();
    await foundation.close();
    await site.stop();
  }
};

const as = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
};

describe('the site’s database role', () => {
  it('serves the site, and cannot change the log, the tables or the machine', async () => {
    const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off', PORT: '0' });
    const superuser = await freshDatabase();
    // A site of before there were roles: the superuser made everything, the read models too.
    await serve(config, { databaseUrl: superuser });
    const urls = await makeRoles(superuser);
    await serve(config, urls);
    await serve(config, await makeRoles(superuser));

    await as(urls.databaseUrl, async (client) => {
      expect((await client.query('show is_superuser')).rows).toEqual([{ is_superuser: 'off' }]);
      for (const statement of [
        "update log.event set data = '{}'",
        'delete from log.event',
        'delete from app.migration',
        'alter table app.session add column more text',
        'drop table keys.subject',
        'create role another superuser',
        "copy app.session to program 'true'",
        "select pg_read_file('/etc/passwd')",
        'set role reprise_owner',
      ])
        await expect(client.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    });
  });

  it('gets its rights from the owner of an older site’s tables', async () => {
    const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off', PORT: '0' });
    const superuser = await freshDatabase();
    const names = [1, 2].map((n) => `spec_${n}_${new URL(superuser).pathname.slice(-8)}`);
    const [ownerUrl = '', databaseUrl = ''] = names.map((name) => {
      const url = new URL(superuser);
      [url.username, url.password] = [name, 'secret'];
      return url.href;
    });
    await as(superuser, async (client) => {
      for (const name of names) await client.query(`create role ${name} login password 'secret'`);
      await client.query(`grant ${names[1]} to ${names[0]}`);
      await client.query(`alter database ${client.database} owner to ${names[0]}`);
    });
    atTheEnd(() =>
      as(superuser, async (client) => {
        for (const name of names) await client.query(`drop owned by ${name} cascade`);
        await client.query(`alter database ${client.database} owner to postgres`);
        for (const name of names.toReversed()) await client.query(`drop role ${name}`);
      }),
    );
    await serve(config, { databaseUrl: ownerUrl });
    await serve(config, { databaseUrl, ownerUrl });
    await as(databaseUrl, (client) =>
      expect(client.query('delete from log.event')).rejects.toThrow('permission denied'),
    );
  });

  it('that cannot migrate reports which variable to set', async () => {
    const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off' });
    const superuser = await freshDatabase();
    const { databaseUrl } = await makeRoles(superuser);
    const start = layFoundation({ name: 'spec', config, databaseUrl, logger });
    await expect(start).rejects.toThrow('set DATABASE_OWNER_URL');
  });
});
