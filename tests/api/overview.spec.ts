/** The dashboard's figures, the audit trail, and what is known of the users. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { adminCityCalls } from '#domain/contracts/admin-places.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, DAY, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let buyer: Member;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
  const { listed } = await openHall(site);
  await addCategory(site.deps, { name: 'Chess', emoji: '♟', description: '' }, site.acting());
  buyer = await site.member();
  const [soon, later] = [await listed(inTime(12 * HOUR)), await listed(inTime(30 * DAY))];
  await bought(site, buyer, soon, 1);
  const { id } = await bought(site, buyer, later, 2);
  await buyer.browser.ask(bookingCalls.cancel, { body: { bookingId: id, reason: 'I have fallen ill.' } });
});

describe('the figures', () => {
  const stats = () => superuser.browser.ask(overviewCalls.stats);

  it('count every booking, and as revenue what was paid less what was paid back', async () => {
    // £20 for a ticket that stands; £40 came in for two others, and went back.
    await eventually(async () => expect((await stats()).bookings.revenue).toBe('20.00'));
    const { users, events, bookings } = await stats();
    expect({ users, events }).toEqual({ users: { total: 2, active: 2 }, events: { total: 2, featured: 0 } });
    expect(bookings).toMatchObject({ total: 2, thisMonth: 2 });
    expect(bookings.perDay).toHaveLength(30);
    expect(bookings.perDay.at(-1)).toMatchObject({ bookings: 2, revenue: '60.00' });
    expect(bookings.perDay.slice(0, -1).every((day) => day.bookings === 0)).toBe(true);
  });
});

describe('the audit trail', () => {
  const ask = (query = {}) => superuser.browser.ask(overviewCalls.audit, { query });

  it('says who did what from where, the newest first', async () => {
    const leeds = { name: 'Hull', state: 'East Riding', country: 'England' };
    const { id } = await superuser.browser.ask(adminCityCalls.create, { body: leeds });
    const [newest] = await ask({ limit: 5 });
    expect(newest).toMatchObject({
      userId: superuser.id,
      userEmail: superuser.email,
      action: 'CityAdded',
      entityType: 'city',
      entityId: String(id),
    });
    expect(newest?.ipAddress).toMatch(/^[\d.:a-f]+$/);
  });

  it('is narrowed by what it is about, and searched by who did it', async () => {
    const cities = await ask({ entity: 'city' });
    expect(new Set(cities.map(({ entityType }) => entityType))).toEqual(new Set(['city']));
    const hers = await ask({ search: superuser.email.toUpperCase() });
    expect(new Set(hers.map(({ userId }) => userId))).toEqual(new Set([superuser.id]));
    expect(await ask({ search: 'nobody did this' })).toEqual([]);
    expect((await superuser.browser.get('/api/admin/audit-logs?entity=moon')).status).toBe(400);
  });

  it('is saved with the same filter, and the export is in the trail itself', async () => {
    const file = await superuser.browser.ask(overviewCalls.exportAudit, { query: { entity: 'city' } });
    expect(file).toContain(`,${superuser.id},${superuser.email},CityAdded,city,`);
    expect(file).not.toContain(',account,');
    await site.caughtUp();
    expect((await ask({ entity: 'reads' }))[0]).toMatchObject({ action: 'DataExported' });
  });

  it('no longer names who was erased, nor where they were', async () => {
    const gone = await site.member('admin', 'Gus');
    await site.foundation.keys.destroy(gone.id);
    await site.caughtUp();
    const rows = await ask({ search: gone.id });
    expect(rows.length).toBeGreaterThan(0);
    for (const { ipAddress } of rows) expect(ipAddress).toBeNull();
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

  it('say how old people are and what they like', async () => {
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
