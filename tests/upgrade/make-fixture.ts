/**
 * Makes the fixture anew, with the programs of the commit that is checked out:
 *
 *     node tests/upgrade/make-fixture.ts
 *
 * It needs Debian's `postgresql-15`, for `pg_dump`. The upgrade's spec then holds the programs of later commits to this one's database.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import sharp from 'sharp';
import { registerAccount } from '#command-api/accounts/registration.ts';
import { systemContext } from '#command-api/commands/command-handler.ts';
import { createCommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import type { Role } from '#domain/account/events.ts';
import { HOOK_TYPES } from '#domain/webhook/events.ts';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { runTool } from '#infra/foundation/process.ts';
import { freePort } from '#infra/lib/machine.ts';
import { CARDS } from '#tests/kit/card.ts';
import { PROGRAMS, startDebianPostgres } from '#tests/kit/debian-postgres.ts';
import { Program } from '#tests/kit/program.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { ABOUT, DATA, DUMP, ENVIRONMENT, FIXTURE, NOTE_WHAT_IS_MADE } from './fixture.ts';
import { ORGANISER_PORT, startMailServer, startOrganiser } from './outside.ts';
import { addressOf, type OnSale, PASSWORD, Person, publishableKeyAt } from './person.ts';
import { untilNothingIsMissing, untilReady } from './until.ts';

const run = promisify(execFile);

const CUSTOMERS = ['ann', 'ben', 'cho', 'dev', 'eve', 'fay', 'gus', 'hal'] as const;
const STAFF = { sue: 'superuser', adam: 'admin', kim: 'staff', aude: 'auditor' } as const;
const PEOPLE: readonly (readonly [name: string, role: Role])[] = [
  ...Object.entries(STAFF),
  ...CUSTOMERS.map((name) => [name, 'user'] as const),
];

await runTool(async ({ onEnd }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-fixture-'));
  onEnd(() => rm(dataDir, { recursive: true, force: true }));
  const { stdout: commit } = await run('git', ['rev-parse', 'HEAD']);
  const postgres = await startDebianPostgres();
  onEnd(() => postgres.stop());
  const mailServer = await startMailServer();
  onEnd(() => mailServer.close());
  const organiser = await startOrganiser();
  onEnd(() => organiser.close());
  const pool = new pg.Pool({ connectionString: postgres.url });
  pool.on('error', () => undefined);

  const env = { ...ENVIRONMENT, DATABASE_URL: postgres.url, DATA_DIR: dataDir, SMTP_URL: mailServer.url };

  const start = async (program: string, more: Readonly<Record<string, string>> = {}) => {
    const port = await freePort();
    const running = new Program(program, { env: { ...env, ...more, PORT: String(port) } });
    onEnd(() => running.end('SIGKILL'));
    const origin = `http://127.0.0.1:${port}`;
    await Promise.race([untilReady(origin), running.says(/^never$/)]);
    return { origin, stop: () => running.interrupt() };
  };

  const count = async (sql: string): Promise<number> =>
    (await pool.query<{ count: number }>(`select count(*)::int as count from ${sql}`)).rows[0]?.count ?? 0;
  const atLeast = async (least: number, sql: string): Promise<void> =>
    untilNothingIsMissing(async () => {
      const found = await count(sql);
      return found >= least ? [] : [`${found} of ${least} ${sql}`];
    });

  // What can't be done by a call: accounts whose address is verified, and an event that no read model takes.
  const own = { config: readConfig(env), logger: silentLogger(), connections: 4 };
  const foundation = await layFoundation({ name: 'fixture', databaseUrl: postgres.url, ...own });
  await pool.query(NOTE_WHAT_IS_MADE);
  const deps = createCommandDeps(foundation);
  const acting = () => deps.handler.as(systemContext(deps.clock, 'fixture'));
  for (const [name, role] of PEOPLE) {
    const person = {
      email: addressOf(name),
      firstName: name,
      lastName: 'Ashby',
      profileImageUrl: null,
      role,
    };
    const how = { verified: true, via: 'password', password: PASSWORD } as const;
    const { accountId } = await registerAccount(deps, { ...person, ...how }, acting());
    const profile = { dateOfBirth: '1990-04-05', favoriteCategories: [], at: deps.clock().toISOString() };
    await acting().do(account, accountId, { type: 'CompleteProfile', ...profile });
  }
  // Without a name it has no row.
  const context = systemContext(deps.clock, 'fixture');
  const { codec, log } = foundation;
  const nameless = { type: 'CityAdded', data: { cityId: 999, state: 'England', country: 'United Kingdom' } };
  const meta = await codec.encodeMeta(context);
  const parked = await codec.encode(nameless, randomUUID(), 'city-999', context, meta);

  // While all is well.
  let site = await start('infra/start/main.ts');
  const key = await publishableKeyAt(site.origin);
  const people = Object.fromEntries(
    await Promise.all(PEOPLE.map(async ([name]) => [name, await Person.signIn(site.origin, name)] as const)),
  ) as Record<keyof typeof STAFF | (typeof CUSTOMERS)[number], Person>;
  const { sue, kim, ann, ben, cho, dev, eve, fay, gus, hal } = people;
  const manage = (method: string, path: string, body?: object) =>
    sue.call(method, `${site.origin}/api/admin/${path}`, body);

  const city = await manage('POST', 'cities', { name: 'Leeds', state: 'England', country: 'United Kingdom' });
  const hall = { name: 'Corn Exchange', address: 'Call Lane', cityId: city.id, capacity: 90 };
  const venue = await manage('POST', 'venues', hall);
  await manage('POST', 'categories', { name: 'Puppetry', emoji: '🎭', description: 'With strings' });
  const picture = new FormData();
  const png = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  picture.set('image', new Blob([new Uint8Array(png)]), 'Poster.png');
  const image = await manage('POST', 'images', picture);
  const form = {
    ...{
      description: '<p>Shadow theatre for <b>one</b> night.</p>',
      category: 'Puppetry',
      price: 20,
      capacity: 50,
    },
    ...{ location: 'Call Lane, Leeds', cityId: city.id, venueId: venue.id },
    // As far ahead as the fixture is to be used.
    ...{ date: '2040-06-14', time: '19:30' },
  };
  const listed = async (title: string, changes: object = {}): Promise<OnSale> => {
    const { id } = await manage('POST', 'events', { ...form, title, ...changes });
    return { id, price: 2_000 };
  };
  const large = await listed('Paper Moons', { featured: true, imageUrl: image.path, tags: ['shadows'] });
  const small = await listed('A room for two', { capacity: 2 });
  const moved = await listed('On the move');
  const deleted = await listed('Never to be');
  const spring = { name: 'Spring', code: 'SPRING', discountValue: 10, usageLimit: 5 };
  await manage('POST', 'promotions', { ...spring, validFrom: '2026-01-01', validUntil: '2040-12-31' });
  for (const [path, types] of [
    ['everything', HOOK_TYPES],
    ['door', ['ticket.admitted', 'ticket.refused']],
  ] as const)
    await manage('POST', 'webhooks', { url: `http://127.0.0.1:${ORGANISER_PORT}/${path}`, types });
  const visitor = new Person();
  await visitor.call('POST', `${site.origin}/api/newsletter/subscribe`, { email: addressOf('ivy') });
  const ivy = { name: 'Ivy', email: addressOf('ivy') };
  const support = (message: string) =>
    visitor.call('POST', `${site.origin}/api/contact-support`, { ...ivy, message });
  await support('Is there a cloakroom?');

  const buy = (who: Person, ...[what, order]: [OnSale, Parameters<Person['buy']>[3]?]) =>
    who.buy(site.origin, key, what, order);
  const cancel = (who: Person, bookingId: number) => who.cancel(site.origin, bookingId);
  const annsFirst = await buy(ann, large, { quantity: 3 });
  const bens = await buy(ben, large, { promoCode: 'SPRING' });
  const chos = await buy(cho, small, { quantity: 2 });
  await dev.call('POST', `${site.origin}/api/events/${small.id}/waiting`);
  const eves = await buy(eve, large, { card: CARDS.refundFails });
  const fays = await buy(fay, large, { card: CARDS.refundLater });
  await buy(gus, large, { card: CARDS.disputed });
  await buy(ann, moved, { quantity: 2 });
  await buy(ben, moved);
  await buy(dev, deleted, { quantity: 2 });
  const devs = await buy(dev, large);
  const hals = await buy(hal, large);
  await manage('POST', `bookings/${annsFirst}/reissue`);
  const door = (bookingId: number) =>
    kim.call('POST', `${site.origin}/api/tickets/admit`, { bookingId, gate: 'North' });
  await door(annsFirst);
  await door(annsFirst);
  await cancel(ben, bens);
  await cancel(eve, eves);
  // By telephone: these refunds are decided by a person. One is denied, one waits for a decision.
  for (const id of [devs, hals]) await manage('PATCH', `bookings/${id}`, { status: 'cancelled' });
  await manage('POST', `refunds/${devs}/process`, { approved: false, notes: 'The ticket was passed on.' });
  await hal.call('DELETE', `${site.origin}/api/profile`, { password: PASSWORD });
  await log.append([{ stream: 'city-999', expected: 'none', events: [parked] }]);
  await atLeast(1, 'read.parked');
  await atLeast(1, `log.event where type = 'RefundSucceeded' and stream = 'refund-${bens}'`);
  await atLeast(1, "log.event where type = 'RefundFailed'");
  await atLeast(1, "app.outbox where kind = 'refund-completed' and sent_at is not null");
  await atLeast(1, 'app.erasure where done_at is not null');
  await atLeast(1, "app.hook_delivery where type = 'booking.refunded' and status = 'sent'");

  // The mail server and the organiser's system are down, and no job is begun.
  mailServer.away = organiser.away = true;
  await pool.query(`
  create function made.hold() returns trigger language plpgsql as 'begin return null; end';
  create trigger hold_jobs before update on app.job for each row when (new.lease is distinct from old.lease) execute function made.hold()`);
  await buy(ben, large, { until: 'held' });
  await buy(cho, large, { until: 'paid' });
  await buy(ann, large);
  await cancel(cho, chos);
  await cancel(fay, fays);
  const events = await manage('GET', 'events');
  const { revision } = events.find(({ id }: OnSale) => id === moved.id);
  await manage('PUT', `events/${moved.id}`, { ...form, title: 'On the move', date: '2040-06-15', revision });
  await manage('DELETE', `events/${deleted.id}`);
  await visitor.send('POST', `${site.origin}/api/auth/forgot-password`, { email: addressOf('gus') });
  await atLeast(4, 'app.outbox where sent_at is null');
  await atLeast(5, "app.hook_delivery where status = 'waiting'");
  for (const kind of ['attempt', 'refund', 'waiting', 'moved', 'deletion', 'reminder', 'intent'])
    await atLeast(1, `app.job where kind = '${kind}'`);
  await site.stop();

  // An event that an older program could not read, and so made no work of.
  site = await start('command-api/main.ts', { WORK: 'off' });
  await support('May I bring a dog?');
  await site.stop();
  const { rows } = await pool.query<{ position: string; version: number }>(
    "select position, version from log.event where type = 'SupportMessageReceived' order by position desc limit 1",
  );
  const setVersion = (version: number | undefined) =>
    pool.query('update log.event set version = $2 where position = $1', [rows[0]?.position, version]);
  await setVersion(99);
  site = await start('command-api/main.ts', { WORK: 'only' });
  await atLeast(1, 'app.unread_event');
  await site.stop();
  await setVersion(rows[0]?.version);

  // Events that nothing has followed yet.
  site = await start('command-api/main.ts', { WORK: 'off' });
  const anns = await buy(ann, large, { quantity: 2 });
  await buy(gus, moved);
  await cancel(ann, anns);
  await support('And a cat?');
  await site.stop();

  await pool.query('drop trigger hold_jobs on app.job; drop function made.hold');
  const madeAt = new Date().toISOString();
  await deps.handler.drain();
  await foundation.close();
  await pool.end();
  const { stdout: dump } = await run(
    join(PROGRAMS, 'pg_dump'),
    [postgres.url, '--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100'],
    { maxBuffer: 2 ** 28 },
  );
  await rm(FIXTURE, { recursive: true, force: true });
  await mkdir(DATA, { recursive: true });
  // These commands are psql's own.
  await writeFile(DUMP, gzipSync(dump.replace(/^\\(un)?restrict .*$/gm, ''), { level: 9 }));
  await writeFile(ABOUT, `${JSON.stringify({ commit: commit.trim(), madeAt }, null, 2)}\n`);
  await cp(join(dataDir, 'images'), join(DATA, 'images'), { recursive: true });
  await cp(join(dataDir, 'erasures'), join(DATA, 'erasures'));
  console.log(`The fixture of ${commit.trim()} has ${(await stat(DUMP)).size} bytes.`);
});
