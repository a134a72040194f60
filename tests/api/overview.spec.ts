/** The dashboard's figures, the audit trail, and what is known of the users. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { adminCityCalls } from '#domain/contracts/admin-places.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, DAY, type Hall, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let buyer: Member;
let hall: Hall;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
  hall = await openHall(site);
  const { listed } = hall;
  await addCategory(site.deps, { name: 'Chess', emoji: '♟', description: '' }, site.acting());
  buyer = await site.member();
  const [soon, later] = [await listed(inTime(12 * HOUR)), await listed(inTime(30 * DAY))];
  await bought(site, buyer, soon, 1);
  const { id } = await bought(site, buyer, later, 2);
  await buyer.browser.ask(bookingCalls.cancel, { body: { bookingId: id, reason: 'I have fallen ill.' } });
});

describe('the overview’s figures', () => {
  const stats = () => superuser.browser.ask(overviewCalls.stats);

  it('count every booking, and the payments minus refunds as revenue', async () => {
    // £20 for a ticket that stands; £40 came in for two others, and went back.
    // With the first alone it is £20, too: so both must be in.
    const both = { revenue: '20.00', total: 2, thisMonth: 2 };
    await eventually(async () => expect((await stats()).bookings).toMatchObject(both));
    const { users, events, bookings } = await stats();
    expect({ users, events }).toEqual({ users: { total: 2, active: 2 }, events: { total: 2, featured: 0 } });
    expect(bookings.perDay).toHaveLength(30);
    expect(bookings.perDay.at(-1)).toMatchObject({ bookings: 2, revenue: '60.00' });
    expect(bookings.perDay.slice(0, -1).every((day) => day.bookings === 0)).toBe(true);
  });
});

describe('the audit trail', () => {
  const ask = (query = {}) => superuser.browser.ask(overviewCalls.audit, { query });

  it('shows who did what from where, newest first', async () => {
    const leeds = { name: 'Hull', state: 'East Riding', country: 'England' };
    const { id } = await superuser.browser.ask(adminCityCalls.create, { body: leeds });
    const [newest] = await ask({ limit: 5 });
    expect(newest).toMatchObject({
      userId: superuser.id,
      userEmail: superuser.email,
      action: 'create',
      entityType: 'city',
      entityId: String(id),
      details: 'Added',
    });
    expect(newest?.ipAddress).toMatch(/^[\d.:a-f]+$/);
  });

  it('is filtered by subject and searched by author', async () => {
    const cities = await ask({ entity: 'city' });
    expect(new Set(cities.map(({ entityType }) => entityType))).toEqual(new Set(['city']));
    const hers = await ask({ search: superuser.email.toUpperCase() });
    expect(new Set(hers.map(({ userId }) => userId))).toEqual(new Set([superuser.id]));
    expect(await ask({ search: 'nobody did this' })).toEqual([]);
    expect((await superuser.browser.get('/api/admin/audit-logs?entity=moon')).status).toBe(400);
  });

  it('is exported with the same filter, and the export is in the trail', async () => {
    const file = await superuser.browser.ask(overviewCalls.exportAudit, { query: { entity: 'city' } });
    expect(file).toContain(`,${superuser.id},${superuser.email},create,city,`);
    expect(file).not.toContain(',user,');
    await site.caughtUp();
    expect((await ask({ entity: 'export' }))[0]).toMatchObject({
      action: 'create',
      details: expect.stringMatching(/^audit, \d+ rows$/),
    });
  });

  it('does not show erased people or their addresses', async () => {
    const gone = await site.member('admin', 'Gus');
    await site.foundation.keys.destroy(gone.id);
    await site.caughtUp();
    const rows = await ask({ search: gone.id });
    expect(rows.length).toBeGreaterThan(0);
    for (const { ipAddress } of rows) expect(ipAddress).toBeNull();
  });
});

describe('a staff command in the audit trail', () => {
  const send = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const answer = await superuser.browser.call(method, `/api/admin/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  /** What the trail then says: each new entry as its action, what it is about, and the details. */
  const told = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
    const entries = async () => {
      await site.caughtUp();
      return superuser.browser.ask(overviewCalls.audit, { query: { search: superuser.email, limit: 100 } });
    };
    const before = new Set((await entries()).map(({ id }) => id));
    await act();
    return (await entries())
      .filter(({ id }) => !before.has(id))
      .map((entry) => `${entry.action} ${entry.entityType} ${entry.entityId}: ${entry.details}`);
  };
  const event = () => send('POST', 'events', hall.form);
  const booked = async () => {
    const { id: eventId } = await event();
    return bought(site, await site.member(), eventId, 1);
  };

  it('is one entry for an event with a new city and venue', async () => {
    const { cityId: _, venueId: __, ...form } = hall.form;
    const newCity = { name: 'York', state: 'England', country: 'United Kingdom' };
    const newVenue = { name: 'Barbican', address: 'Paragon Street', capacity: 80 };
    let id = 0;
    const act = async () => ({ id } = await send('POST', 'events', { ...form, newCity, newVenue }));
    expect(await told(act)).toEqual([`create event ${id}: Created`]);
  });

  it('is one entry for many changes of an event', async () => {
    const { id } = await event();
    const { capacity, ...form } = { ...hall.form, title: 'Paper Suns', date: inTime(40 * DAY).date };
    const edit = () => send('PUT', `events/${id}`, { ...form, capacity: capacity + 1, featured: true });
    const details = `Capacity is now ${capacity + 1}, details changed, moved to another time, featured`;
    expect(await told(edit)).toEqual([`update event ${id}: ${details}`]);
    expect(await told(edit)).toEqual([]);
    expect(await told(() => send('PATCH', `events/${id}/featured`, { featured: false }))).toEqual([
      `update event ${id}: No longer featured`,
    ]);
  });

  it('is one entry for a deleted event, however many bookings it cancels', async () => {
    const { event: sold, reference } = await booked();
    const stands = async () =>
      (await superuser.browser.get(`/api/admin/bookings?search=${reference}&status=confirmed`)).body;
    expect(
      await told(async () => {
        await send('DELETE', `events/${sold.id}`);
        await eventually(async () => expect(await stands()).toEqual([]));
      }),
    ).toEqual([`delete event ${sold.id}: Deleted`]);
  });

  it('on an account shows the new value', async () => {
    const { id } = await site.member();
    const edit = (changes: object) => told(() => send('PATCH', `users/${id}`, changes));
    expect(await edit({ role: 'superuser' })).toEqual([`update user ${id}: Role is now superuser`]);
    expect(await edit({ role: 'staff', isActive: false })).toEqual([
      `update user ${id}: Role is now staff, deactivated`,
    ]);
    expect(await told(() => send('PATCH', `users/${id}/soft-delete`, { reason: '' }))).toEqual([
      `delete user ${id}: Soft deleted`,
    ]);
    expect(await told(() => send('PATCH', `users/${id}/restore`))).toEqual([`update user ${id}: Restored`]);
  });

  it('on a booking or its refund names it', async () => {
    const { id } = await booked();
    const set = (status: string) => told(() => send('PATCH', `bookings/${id}`, { status }));
    const decide = (approved: boolean | null) =>
      told(() => send('POST', `refunds/${id}/process`, { approved, notes: 'As agreed' }));
    expect(await set('cancelled')).toEqual([`update booking ${id}: Cancelled`]);
    expect(await set('confirmed')).toEqual([`update booking ${id}: Reinstated`]);
    await set('cancelled');
    expect(await decide(false)).toEqual([`update refund ${id}: Denied`]);
    expect(await decide(null)).toEqual([`update refund ${id}: Put back to review`]);
    expect(await decide(true)).toEqual([`update refund ${id}: Approved`]);
    const { id: other } = await booked();
    expect(await told(() => send('POST', `bookings/${other}/reissue`))).toEqual([
      `update booking ${other}: Ticket reissued`,
    ]);
  });

  it('on the site’s content uses the panel’s names', async () => {
    const code = {
      name: 'Spring',
      code: 'SPRING',
      discountType: 'fixed',
      discountValue: 5,
      validFrom: '2026-01-01',
      validUntil: '2099-07-31',
    };
    let id = 0;
    expect(await told(async () => ({ id } = await send('POST', 'promotions', code)))).toEqual([
      `create promotion ${id}: Created`,
    ]);
    expect(await told(() => send('PUT', `promotions/${id}`, { ...code, code: 'SUMMER' }))).toEqual([
      `update promotion ${id}: Edited`,
    ]);
    expect(await told(() => send('DELETE', `promotions/${id}`))).toEqual([`delete promotion ${id}: Deleted`]);

    const words = { name: 'Hi', subject: 'Hi', htmlContent: '<p>Hi</p>', textContent: 'Hi', description: '' };
    expect(await told(async () => ({ id } = await send('POST', 'email-templates', words)))).toEqual([
      `create email-template ${id}: Added`,
    ]);
    const setting = { key: 'site_tagline', value: 'Out tonight', description: '', category: 'general' };
    expect(await told(() => send('POST', 'site-config', setting))).toEqual([
      'update setting site_tagline: Changed',
    ]);
    expect(await told(() => send('DELETE', 'site-config/site_tagline'))).toEqual([
      'update setting site_tagline: Back to the default',
    ]);

    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#402' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(png)]), 'Logo.png');
    expect(await told(async () => ({ id } = await send('POST', 'images', form)))).toEqual([
      `create image ${id}: Uploaded`,
    ]);
    expect(await told(() => send('PATCH', `images/${id}/set-logo`))).toEqual([
      'update setting site_logo_url: Changed',
    ]);
  });

  it('on subscribers shows no digest of an address, and names an export', async () => {
    await site.visitor().post('/api/newsletter/subscribe', { email: 'zoe@people.example', source: 'footer' });
    await site.caughtUp();
    const [zoe] = (await superuser.browser.get('/api/admin/newsletter/subscribers?search=zoe')).body;
    expect(await told(() => send('DELETE', `newsletter/subscribers/${zoe.id}`))).toEqual([
      'delete subscriber : Unsubscribed',
    ]);
    expect(await told(() => superuser.browser.get('/api/admin/newsletter/export-csv'))).toEqual([
      'create export : newsletter, 0 rows',
    ]);
  });
});

describe('the analytics', () => {
  const analytics = () => superuser.browser.ask(overviewCalls.analytics);
  const born = async (dateOfBirth: string, favoriteCategories: readonly string[]) => {
    const { browser } = await site.member();
    const body = { dateOfBirth, preferences: { favoriteCategories: [...favoriteCategories] } };
    await browser.ask(profileCalls.enhance, { body });
    await site.caughtUp();
  };

  it('show ages and favourite categories', async () => {
    const year = new Date().getFullYear();
    const before = await analytics();
    await born(`${year - 30}-01-01`, ['concerts']);
    await born(`${year - 70}-01-01`, ['concerts', 'chess']);
    await born(`${year - 30}-01-01`, []);
    const after = await analytics();
    expect(after.totalUsers).toBe(before.totalUsers + 3);
    expect(after.usersWithPreferences).toBe(before.usersWithPreferences + 2);
    expect(Object.keys(after.ageGroups)).toHaveLength(7);
    expect(after.ageGroups['65 and over']).toBe((before.ageGroups['65 and over'] ?? 0) + 1);
    expect(Object.values(after.ageGroups).reduce((sum, people) => sum + people, 0)).toBe(after.usersWithDOB);
    expect(after.topCategories.slice(0, 2)).toEqual([
      { category: 'Concerts', count: 2 },
      { category: 'Chess', count: 1 },
    ]);
  });
});
