/** A new site, from its first superuser to its first event, and what keeps failing on it later. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addFirstCategories } from '#command-api/catalogue/first-categories.ts';
import { adminCategoryCalls } from '#domain/contracts/admin-categories.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { failureCalls } from '#domain/contracts/admin-failures.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { setupCalls } from '#domain/contracts/admin-setup.ts';
import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { catalogueCalls, defaultCategories } from '#domain/contracts/catalogue.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { DAY, inTime } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
});

const ready = async () =>
  Object.fromEntries((await superuser.browser.ask(setupCalls.read)).map((step) => [step.name, step.ready]));
const categories = async () => {
  await site.caughtUp();
  return (await superuser.browser.ask(catalogueCalls.categories)).map(({ slug }) => slug);
};

describe('a new site', () => {
  it('gets the specified categories once, and never again those that were deleted', async () => {
    expect(await categories()).toEqual([]);
    const before = await ready();
    await Promise.all([
      addFirstCategories(site.deps, site.acting()),
      addFirstCategories(site.deps, site.acting()),
    ]);
    expect([...(await categories())].sort()).toEqual(defaultCategories.map(({ slug }) => slug).sort());
    expect([before.categories, (await ready()).categories]).toEqual([false, true]);

    const all = await superuser.browser.ask(adminCategoryCalls.list, { query: {} });
    const { id = 0 } = all.find(({ slug }) => slug === 'dining') ?? {};
    await superuser.browser.ask(adminCategoryCalls.remove, { params: { id } });
    await addFirstCategories(site.deps, site.acting());
    expect(await categories()).not.toContain('dining');
  });

  it('is guided through the setup until each step is done', async () => {
    expect(await ready()).toEqual({
      categories: true,
      city: false,
      venue: false,
      logo: false,
      payments: false,
      mail: false,
      scanner: true,
      event: false,
    });
    const steps = await superuser.browser.ask(setupCalls.read);
    const details = Object.fromEntries(steps.map(({ name, detail }) => [name, detail]));
    expect(details).toMatchObject({
      city: 'No cities yet',
      payments: expect.stringMatching(/^Test payments.*STRIPE_SECRET_KEY/),
      mail: expect.stringMatching(/SMTP_URL/),
      scanner: '1 person may scan',
    });
    const { browser } = superuser;
    const leeds = { name: 'Leeds', state: 'England', country: 'United Kingdom' };
    const { id: cityId } = await browser.ask(adminCityCalls.create, { body: leeds });
    const hall = { name: 'Corn Exchange', address: 'Call Lane', cityId, capacity: 90 };
    const { id: venueId } = await browser.ask(adminVenueCalls.create, { body: hall });
    const moons = { title: 'Paper Moons', description: '<p>One night.</p>', category: 'concerts' };
    const place = { location: 'Call Lane, Leeds', cityId, venueId };
    const sold = { ...inTime(30 * DAY), price: 20, capacity: 50, featured: false };
    await browser.ask(adminEventCalls.create, { body: { ...moons, ...place, ...sold } });
    const logo = { key: 'site_logo_url', value: '/images/own.webp' };
    await browser.ask(adminSiteCalls.change, { body: logo });
    await site.caughtUp();
    expect(await ready()).toMatchObject({ city: true, venue: true, logo: true, event: true });
  });
});

describe('the list of failures', () => {
  const failing = () => superuser.browser.ask(failureCalls.list);
  const retry = (kind: string, id: string) =>
    superuser.browser.post(`/api/admin/failures/${kind}/${encodeURIComponent(id)}/retry`);

  it('shows a job with its reason until a retry succeeds', async () => {
    const job = ['spec:1', 'provider-refund', 'pi_gone', { intentId: 'pi_gone' }];
    await site.foundation.database.pool.query(
      `insert into app.job (id, kind, subject, payload, due_at, tries, last_error)
       values ($1, $2, $3, $4, now() + interval '1 day', 7, 'Error: no answer')`,
      job,
    );
    expect(await failing()).toMatchObject([
      {
        ...{ kind: 'job', id: 'spec:1', what: 'provider-refund', about: 'pi_gone' },
        ...{ tries: 7, reason: 'Error: no answer', canRetry: true },
      },
    ]);
    expect(await retry('job', 'spec:1')).toMatchObject({ status: 200 });
    await eventually(async () => expect(await failing()).toEqual([]));
    expect(await retry('job', 'spec:1')).toMatchObject({ status: 404 });
  });

  it('shows an event that no table can apply, which is retried with all parked ones', async () => {
    const { pool } = site.foundation.database;
    const [event] = await Array.fromAsync(site.deps.log.readStream(`account-${superuser.id}`, { limit: 1 }));
    await pool.query(
      `insert into read.parked (position, event_id, type, stream, revision, keys, error)
       values ($1, $2, $3, $4, $5, '[]', 'Error: no such column')`,
      [event?.position, event?.id, event?.type, event?.stream, event?.revision],
    );
    const id = event?.id ?? '';
    expect(await failing()).toMatchObject([
      { kind: 'event', id, what: 'AccountRegistered', reason: 'Error: no such column', canRetry: true },
    ]);
    expect(await retry('event', id)).toMatchObject({ status: 200 });
    await eventually(async () => expect(await failing()).toEqual([]));
    expect(await retry('event', id)).toMatchObject({ status: 404 });
  });

  it.each([
    ['template-test', { templateId: 7 }, true],
    ['verify-email', { token: 'secret' }, false],
  ])(
    'shows a mail that was too late, and sends it on request unless it has a secret: %s',
    async (kind, data, sent) => {
      const query = <Row extends object>(text: string, values: unknown[]) =>
        site.foundation.database.pool.query<Row>(text, values);
      const { rows } = await query<{ id: string }>(
        `insert into app.outbox (key, kind, account_id, data, created_at)
       values ($1, $1, $2, $3, now() - interval '2 days') returning id::text`,
        [kind, superuser.id, data],
      );
      const { id = '' } = rows[0] ?? {};
      await query('notify outbox', []);
      await eventually(async () =>
        expect(await failing()).toMatchObject([
          { kind: 'mail', id, what: kind, reason: 'more than 24 hours late', canRetry: sent },
        ]),
      );
      expect(await retry('mail', id)).toMatchObject({ status: sent ? 200 : 404 });
      if (sent) await eventually(async () => expect(await failing()).toEqual([]));
      await query('delete from app.outbox where id = $1', [id]);
    },
  );

  it('shows a refused mail for some days, if it can be sent again', async () => {
    const { pool } = site.foundation.database;
    const { rows } = await pool.query<{ id: string }>(
      `insert into app.outbox (key, kind, account_id, data, created_at, attempts, given_up)
       select 'refused ' || days, 'template-test', 'nobody', data, now() - days * interval '1 day', 3, 'refused by the mail server'
         from (values (1, '{}'::jsonb), (2, null), (8, '{}')) as mail (days, data) returning id::text`,
    );
    const [id] = rows.map((row) => row.id);
    expect(await failing()).toMatchObject([{ kind: 'mail', id, canRetry: true }]);
    await pool.query('delete from app.outbox where id = any($1)', [rows.map((row) => row.id)]);
  });

  it.each([
    ['job', 'none'],
    ['mail', 'x'],
    ['mail', '99999999999999999999'],
    ['refund', '12'],
    ['refund', 'x'],
  ])('refuses to retry unknown entries: %s %s', async (kind, id) => {
    expect(await retry(kind, id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await retry('event', id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await retry('moon', id)).toMatchObject({ status: 400 });
  });
});
