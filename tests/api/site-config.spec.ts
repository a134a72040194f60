/** The site's settings, as superusers change them and as everybody meets them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
});

const set = (key: string, value: string) =>
  superuser.browser.ask(adminSiteCalls.change, { body: { key, value } });
const reset = (key: string) => superuser.browser.ask(adminSiteCalls.reset, { params: { key } });
const shown = async (key: string) => {
  await site.caughtUp();
  const entries = await site.visitor().ask(siteCalls.config);
  return entries.find((entry) => entry.key === key)?.value;
};

describe('a setting', () => {
  it('is listed with its default, changed for everyone, and reset', async () => {
    const before = await superuser.browser.ask(adminSiteCalls.list);
    expect(before.find(({ key }) => key === 'site_name')).toMatchObject({
      value: 'Reprise',
      updatedAt: null,
    });
    expect(await set('site_name', ' Encore ')).toMatchObject({ key: 'site_name', value: 'Encore' });
    expect(await shown('site_name')).toBe('Encore');
    const after = await superuser.browser.ask(adminSiteCalls.list);
    expect(after.find(({ key }) => key === 'site_name')?.updatedAt).toEqual(expect.any(String));
    await reset('site_name');
    expect(await shown('site_name')).toBe('Reprise');
  });

  it('is refused with a reason if it is invalid, and nothing changes', async () => {
    for (const body of [
      { key: 'constructor', value: 'x' },
      { key: 'site_name', value: ' ' },
      { key: 'events_per_page', value: '0' },
      { key: 'social_facebook', value: 'javascript:alert(1)' },
    ]) {
      const refused = await superuser.browser.call('POST', '/api/admin/site-config', body);
      expect(refused, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'BAD_INPUT' } });
    }
    const unknown = await superuser.browser.call('DELETE', '/api/admin/site-config/__proto__');
    expect(unknown.status).toBe(404);
    expect(await shown('social_facebook')).toBe('');
  });
});

it('a checkout is closed with a message while booking is off', async () => {
  const { listed } = await openHall(site);
  const eventId = await listed();
  const { browser } = await site.member();
  await set('booking_enabled', 'false');
  const order = { eventId, quantity: 1, amount: '20.00' };
  expect(await browser.call('POST', '/api/create-payment-intent', order)).toMatchObject({
    status: 409,
    body: { code: 'BOOKING_DISABLED', message: 'Booking is switched off at the moment.' },
  });
  await site.caughtUp();
  expect(await browser.ask(catalogueCalls.event, { params: { id: eventId } })).toMatchObject({
    bookable: false,
  });
  await reset('booking_enabled');
  await browser.ask(paymentCalls.createIntent, { body: order });
});
