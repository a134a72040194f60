/**
 * The owner has the tables and migrates them. The site's role can append to the log but not change it, and
 * owns the read models.
 */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { CannotStart, wordsOf } from '#infra/lib/cannot-start.ts';
import { isForbidden } from './migrate.ts';

const OWNER = 'reprise_owner';
const SITE = 'reprise_site';

/** PostgreSQL refuses two changes of roles at once. */
const LOCK = 7_737_476;

export interface DatabaseUrls {
  readonly databaseUrl: string;
  readonly ownerUrl?: string | undefined;
}

const roleOf = (url: string): string => new pg.Client({ connectionString: url }).user ?? '';

const change = async (url: string, work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: url, application_name: 'reprise roles' });
  client.on('error', () => undefined /* the query under way reports it */);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await work(client);
    await client.query('commit');
  } catch (cause) {
    if (!isForbidden(cause)) throw cause;
    throw new CannotStart(
      `${client.user} can't share out the database (docs/operations/deployment.md): ${wordsOf(cause)}`,
      { cause },
    );
  } finally {
    await client.end();
  }
};

/** Hands what another role owns in our schemas to `$1`, in the read models to `$2`. */
const HAND_OVER = `
  with ours as (
    select n.oid, n.nspname, n.nspowner, r.oid as role_id, r.rolname as role
      from pg_namespace n
      join pg_roles r on r.rolname = case when n.nspname in ('app', 'keys', 'log') then $1 else $2 end
     where n.nspname in ('app', 'keys', 'log', 'read', 'log_index') or starts_with(n.nspname, 'read_')
  )
  select 1 as turn, format('alter schema %I owner to %I', nspname, role) as statement
    from ours where nspowner <> role_id
  union all
  select 2, format('alter table %s owner to %I', c.oid::regclass, role)
    from pg_class c join ours on c.relnamespace = ours.oid
   where c.relowner <> role_id and c.relkind in ('r', 'p', 'v')
  union all
  -- The sequence of an identity column goes with its table.
  select 2, format('alter sequence %s owner to %I', c.oid::regclass, role)
    from pg_class c join ours on c.relnamespace = ours.oid
   where c.relowner <> role_id and c.relkind = 'S'
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
  union all
  select 2, format('alter function %s owner to %I', p.oid::regprocedure, role)
    from pg_proc p join ours on p.pronamespace = ours.oid where p.proowner <> role_id
  order by turn`;

const handOver = async (client: pg.Client, owner: string, site: string): Promise<void> => {
  const { rows } = await client.query<{ statement: string }>(HAND_OVER, [owner, site]);
  for (const { statement } of rows) await client.query(statement);
};

/** Passwords derive from the superuser's, so none is stored and neither reveals another. */
export const makeRoles = async (superuserUrl: string): Promise<Required<DatabaseUrls>> => {
  const urlOf = (role: string): string => {
    const url = new URL(superuserUrl);
    url.password = createHmac('sha256', url.password).update(role).digest('base64url');
    url.username = role;
    return url.href;
  };
  await change(superuserUrl, async (client) => {
    for (const role of [OWNER, SITE]) {
      const found = await client.query('select from pg_roles where rolname = $1', [role]);
      const { password } = new URL(urlOf(role));
      if (!found.rowCount) await client.query(`create role ${role} login password '${password}'`);
    }
    // No unneeded writes: a tool may inspect a site whose disk is full.
    const { rows } = await client.query<{ member: boolean; owns: boolean }>(
      `select pg_has_role($1, $2, 'member') as member, datdba = to_regrole($1) as owns
         from pg_database where datname = current_database()`,
      [OWNER, SITE],
    );
    if (!rows[0]?.member) await client.query(`grant ${SITE} to ${OWNER}`);
    const database = client.escapeIdentifier(client.database ?? '');
    if (!rows[0]?.owns) await client.query(`alter database ${database} owner to ${OWNER}`);
    await handOver(client, OWNER, SITE);
  });
  return { databaseUrl: urlOf(SITE), ownerUrl: urlOf(OWNER) };
};

export const letSiteIn = async ({ databaseUrl, ownerUrl }: Required<DatabaseUrls>): Promise<void> => {
  const [owner, role] = [roleOf(ownerUrl), roleOf(databaseUrl)];
  if (owner === role) return;
  await change(ownerUrl, async (client) => {
    await handOver(client, owner, role);
    const site = client.escapeIdentifier(role);
    const database = client.escapeIdentifier(client.database ?? '');
    const log = await client.query("select from pg_namespace where nspname = 'log'");
    const statements = [
      `grant create on database ${database} to ${site}`,
      `grant usage on schema app, keys to ${site}`,
      `grant select, insert, update, delete on all tables in schema app, keys to ${site}`,
      `grant usage, select, update on all sequences in schema app to ${site}`,
      `revoke insert, update, delete on app.migration from ${site}`,
      ...(log.rowCount
        ? [
            `grant usage on schema log to ${site}`,
            `grant select on all tables in schema log to ${site}`,
            `grant insert on log.event to ${site}`,
          ]
        : []),
    ];
    for (const statement of statements) await client.query(statement);
  });
};

export const isSuperuser = async (pool: Pick<pg.Pool, 'query'>): Promise<boolean> => {
  const { rows } = await pool.query<{ is_superuser: string }>('show is_superuser');
  return rows[0]?.is_superuser === 'on';
};
