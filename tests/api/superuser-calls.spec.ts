/** The calls that the superuser's specification lists in its section 7, each with right and with wrong input, by everybody. */
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { addCity, addVenue } from '#command-api/catalogue/places.ts';
import { ROLES } from '#domain/account/events.ts';
import { may, type Standing } from '#domain/contracts/capabilities.ts';
import { declaredCalls } from '#tests/kit/declared-calls.ts';
import { bought, codesOf, openHall } from '#tests/kit/programme.ts';
import { type Site, startSite } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

const declared = [...(await declaredCalls()).values()];

let site: Site;
const browsers = new Map<Standing, Visitor>();
/** What there is, by the part of the path after `/api/admin`. */
const known: Record<string, string | number> = {};
/** The body for a new event. */
let event: object;
let code = '';

const CITY = { name: 'Hull', state: 'East Riding', country: 'England' };
const VENUE = { name: 'The Quay', address: '1 Dock Road', capacity: 90 };
const PROMOTION = {
  ...{ name: 'Spring', code: 'SPRING', description: '', discountType: 'fixed', discountValue: 5 },
  ...{ usageLimit: null, validFrom: '2026-01-01', validUntil: '2099-07-31', isActive: true },
};
const TEMPLATE = {
  ...{ name: 'Winter', subject: 'Hi', htmlContent: '<p>Hi</p>', textContent: 'Hi', description: '' },
  isActive: true,
};
const CHESS = { name: 'Chess', emoji: '♟', description: '' };
const SETTING = { key: 'site_tagline', value: 'Out tonight', description: '', category: 'general' };

beforeAll(async () => {
  site = await startSite();
  const { deps, acting } = site;
  browsers.set('visitor', site.visitor());
  for (const role of ROLES) browsers.set(role, (await site.member(role)).browser);
  const hall = await openHall(site);
  event = { ...hall.form, availableTickets: hall.form.capacity, imageUrl: null };
  const buyer = await site.member();
  const listingId = await hall.listed();
  const cancelled = await bought(site, buyer, listingId, 1);
  [code = ''] = await codesOf(site, (await bought(site, buyer, listingId, 1)).id);
  known.bookings = cancelled.id;
  known.refunds = cancelled.id;
  known.events = await hall.listed();
  known.users = (await site.member()).id;
  known.cities = await addCity(deps, { ...CITY, name: 'York' }, acting());
  known.venues = await addVenue(deps, { ...VENUE, cityId: hall.form.cityId }, acting());
  known.categories = (await addCategory(deps, { ...CHESS, name: 'Go' }, acting())).id;
  await site.visitor().post('/api/newsletter/subscribe', { email: 'zoe@people.example', source: 'footer' });
  await site.caughtUp();
  const superuser = browsers.get('superuser');
  known.newsletter = (await superuser?.get('/api/admin/newsletter/subscribers'))?.body[0].id;
});

const picture = async (type: string): Promise<FormData> => {
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#402' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(png)]), 'Poster.png');
  form.set('type', type);
  return form;
};

type Input = string | object | (() => object | Promise<object>);

/** Each call with a right input, and a wrong one where there is any: a body, or what follows the path. Later rows take what earlier ones made. */
const table: readonly (readonly [call: string, right?: Input, wrong?: Input])[] = [
  ['GET /api/admin/stats'],
  ['GET /api/admin/site-config'],
  ['POST /api/admin/site-config', SETTING, { ...SETTING, key: 'no_such_key' }],
  ['GET /api/admin/users', '?search=ann&includeDeleted=true', '?includeDeleted=perhaps'],
  ['GET /api/admin/users/export-csv', '?search=ann', '?sort=height'],
  ['PATCH /api/admin/users/{id}', { role: 'staff', isActive: true }, { role: 'king' }],
  ['PATCH /api/admin/users/{id}/soft-delete', { reason: 'Asked by phone' }, { reason: 7 }],
  ['PATCH /api/admin/users/{id}/restore'],
  ['DELETE /api/admin/users/{id}'],
  ['DELETE /api/admin/users/{id}/hard-delete', { confirmPermanent: true }, { confirmPermanent: 'yes' }],
  ['GET /api/admin/events', '?limit=10', '?limit=all'],
  ['GET /api/admin/events/export-csv', '', '?state=lost'],
  ['POST /api/admin/events', () => event, () => ({ ...event, price: 0 })],
  ['PUT /api/admin/events/{id}', () => event, () => ({ ...event, title: ' ' })],
  ['PATCH /api/admin/events/{id}/featured', { featured: true }, { featured: 'yes' }],
  ['DELETE /api/admin/events/{id}', {}, { refund: 'all' }],
  ['POST /api/tickets/scan', () => ({ encryptedData: code }), {}],
  ['GET /api/tickets/recent-scans'],
  ['GET /api/admin/bookings', '?status=confirmed', '?status=lost'],
  ['GET /api/admin/bookings/export-csv', '', '?page=0'],
  ['PATCH /api/admin/bookings/{id}', { status: 'cancelled' }, { status: 'lost' }],
  ['GET /api/admin/refunds/stats'],
  ['GET /api/admin/refunds', '?limit=10&offset=0', '?limit=10&offset=-1'],
  ['POST /api/admin/refunds/{id}/process', { approved: true, notes: '' }, { approved: false, notes: ' ' }],
  ['GET /api/admin/categories'],
  ['POST /api/admin/categories', CHESS, { ...CHESS, emoji: '♟♟♟' }],
  ['PUT /api/admin/categories/{id}', { ...CHESS, name: 'Draughts' }, { ...CHESS, name: '' }],
  ['DELETE /api/admin/categories/{id}'],
  ['GET /api/admin/venues', '?sort=name', '?sort=height'],
  ['POST /api/admin/venues', () => ({ ...VENUE, cityId: known.cities }), VENUE],
  ['GET /api/admin/venues/by-city/{cityId}'],
  ['PUT /api/admin/venues/{id}', () => ({ ...VENUE, cityId: known.cities }), VENUE],
  ['DELETE /api/admin/venues/{id}'],
  ['GET /api/admin/cities', '?search=hull', '?limit=0'],
  ['POST /api/admin/cities', CITY, { ...CITY, state: '' }],
  ['PUT /api/admin/cities/{id}', { ...CITY, name: 'Jorvik' }, { ...CITY, country: null }],
  ['DELETE /api/admin/cities/{id}'],
  ['GET /api/admin/audit-logs', '?entity=city', '?entity=moon'],
  ['GET /api/admin/newsletter/stats'],
  ['GET /api/admin/newsletter/subscribers', '?search=zoe', '?page=none'],
  ['GET /api/admin/newsletter/export-csv'],
  ['DELETE /api/admin/newsletter/subscribers/{id}'],
  ['GET /api/admin/user-analytics'],
  ['GET /api/admin/promotions', '?state=active', '?state=lost'],
  ['POST /api/admin/promotions', PROMOTION, { ...PROMOTION, name: ' ' }],
  ['PUT /api/admin/promotions/{id}', { ...PROMOTION, discountValue: 6 }, { ...PROMOTION, code: '' }],
  ['DELETE /api/admin/promotions/{id}'],
  ['GET /api/admin/email-templates'],
  ['POST /api/admin/email-templates', TEMPLATE, { ...TEMPLATE, subject: '{{ nobodyKnowsThis }}' }],
  ['PUT /api/admin/email-templates/{id}', { ...TEMPLATE, name: 'Spring' }, { ...TEMPLATE, name: '' }],
  ['DELETE /api/admin/email-templates/{id}'],
  ['POST /api/admin/images', () => picture('event'), () => picture('film')],
  ['PATCH /api/admin/images/{id}/set-logo', {}, { imageUrl: 'https://elsewhere.test/logo.png' }],
  ['PATCH /api/admin/images/{id}/set-hero', {}, { imageUrl: '/logo.png' }],
  ['GET /api/admin/images', '?type=event', '?type=film'],
  ['DELETE /api/admin/images/{id}'],
];

/** What rows above have put to use: a city that a venue was made in, an image that is the logo. */
const IN_USE = ['DELETE /api/admin/cities/{id}', 'DELETE /api/admin/images/{id}'];

it.each(table.map(([call, right, wrong]) => ({ call, right, wrong })))(
  '$call',
  async ({ call, right, wrong }) => {
    const found = declared.find(({ method, path }) => call === `${method} ${path}`);
    if (!found) throw new Error(`${call} is not declared`);
    const { method, capability } = found;
    const kind = found.path.split('/')[3] ?? '';
    const send = async (browser: Visitor | undefined, input: Input = '') => {
      const body = typeof input === 'function' ? await input() : input;
      const thing = found.path.includes('{cityId}') ? known.cities : known[kind];
      const path = found.path.replace(/\{\w+\}/, String(thing));
      if (!browser) throw new Error('nobody asks');
      if (typeof body === 'string')
        return method === 'GET' ? browser.get(path + body) : browser.call(method, path);
      return browser.call(method, path, body);
    };
    const superuser = browsers.get('superuser');
    for (const [standing, browser] of browsers) {
      if (may(standing, capability)) continue;
      const { status } = await send(browser, right);
      expect(status, standing).toBe(standing === 'visitor' ? 401 : 403);
    }
    if (IN_USE.includes(call)) {
      expect(await send(superuser, right)).toMatchObject({ status: 409, body: { code: 'IN_USE' } });
      return;
    }
    if (wrong !== undefined) {
      const { status, body } = await send(superuser, wrong);
      expect([400, 404, 422], JSON.stringify(body)).toContain(status);
      expect(body.message).toEqual(expect.any(String));
    }
    const { status, body } = await send(superuser, right);
    expect([200, 201], JSON.stringify(body)).toContain(status);
    if (method === 'POST' && status === 201 && typeof body.id === 'number') known[kind] ??= body.id;
  },
);
