/** Whoever calls the API from a script of their own: what they read they may send back, and what is wrong is said in our words. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Hall, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

const ROOT = '/api/admin';

let site: Site;
let sue: Member;
let hall: Hall;
beforeAll(async () => {
  site = await startSite();
  sue = await site.member('superuser', 'Sue');
  hall = await openHall(site);
});

const eventBody = () => ({ ...hall.form, availableTickets: hall.form.capacity, imageUrl: null });
const category = { name: 'Poetry', emoji: '📖', description: 'Spoken' };
const promotion = { name: 'Spring', code: 'SPRING', discountType: 'fixed', discountValue: 5 };
const dates = { validFrom: '2026-01-01', validUntil: '2099-01-01' };
const words = { subject: 'Warm up', htmlContent: '<p>Warm up</p>', textContent: 'Warm up' };

/** What can be made and edited, by the part of its path. */
const bodies: Readonly<Record<string, () => object>> = {
  cities: () => ({ name: 'Hull', state: 'Yorkshire', country: 'England' }),
  venues: () => ({ name: 'Welly', address: '1 Road', cityId: hall.form.cityId, capacity: 90 }),
  categories: () => category,
  promotions: () => ({ ...promotion, ...dates }),
  'email-templates': () => ({ name: 'Winter', ...words }),
  events: eventBody,
};
const things = Object.entries(bodies).map(([kind, body]) => ({ kind, body }));

const created = async (kind: string, body: object) => {
  const answer = await sue.browser.post(`${ROOT}/${kind}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};

describe.each(things)('$kind', ({ kind, body }) => {
  it('accept a row as it was read and as it was made, and refuse unknown fields', async () => {
    const made = await created(kind, body());
    const { browser } = sue;
    const read = async () => (await browser.get(`${ROOT}/${kind}`)).body;
    const row = (await read()).find(({ id }: { id: number }) => id === made.id);
    const path = `${ROOT}/${kind}/${made.id}`;
    for (const sent of [row, made]) {
      const answer = await browser.call('PUT', path, sent);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
    expect(await read()).toContainEqual(row);

    const wrong = await browser.call('PUT', path, { ...row, naem: 'x' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: 'Unknown: naem', errors: ['Unknown: naem'] },
    });

    const unique = { ...(row.name && { name: `${row.name} again` }), ...(row.code && { code: 'AGAIN' }) };
    const copy = await created(kind, { ...row, ...unique });
    expect(copy.id).not.toBe(made.id);
  });
});

it('a script can send a setting back as it was read, and a number or a switch as such', async () => {
  const { browser } = sue;
  const [setting] = (await browser.get(`${ROOT}/site-config`)).body;
  expect((await browser.post(`${ROOT}/site-config`, setting)).status).toBe(200);
  const bare = { description: null, category: null };
  const set = async (key: string, value: unknown) =>
    (await browser.post(`${ROOT}/site-config`, { key, value, ...bare })).body;
  expect(await set('events_per_page', 12)).toMatchObject({ value: '12', category: 'general' });
  expect(await set('booking_enabled', true)).toMatchObject({ value: 'true', description: '' });
});

it('a script can send null or a blank to leave a field empty', async () => {
  const poster = await created('events', { ...eventBody(), imageUrl: '', featured: null, isActive: true });
  expect(poster).toMatchObject({ imageUrl: null, featured: false, isActive: true });
  const { browser } = sue;
  const edited = await browser.call('PUT', `${ROOT}/events/${poster.id}`, {
    ...{ ...poster, imageUrl: '', featured: null, isActive: null },
  });
  expect(edited).toMatchObject({ status: 200, body: { imageUrl: null, featured: false, isActive: true } });
  const verse = { ...category, name: 'Verse', description: null };
  expect(await created('categories', verse)).toMatchObject({ description: '' });
  const code = { ...promotion, ...dates, code: 'NOTHING', description: null, isActive: null };
  expect(await created('promotions', code)).toMatchObject({ description: '', isActive: true });
  const template = { name: 'Thaw', ...words, description: null, isActive: null };
  expect(await created('email-templates', template)).toMatchObject({ description: '', isActive: true });

  for (const source of [null, '']) {
    const sent = { email: `zoe${source}@people.example`, source };
    const subscribed = await site.visitor().post('/api/newsletter/subscribe', sent);
    expect(subscribed).toMatchObject({ status: 200, body: { isNewSubscription: true } });
  }
  const blank = await browser.get(`${ROOT}/refunds?limit=10&offset=&status=&search=&sort=`);
  expect(blank.status).toBe(200);
  expect((await site.visitor().get('/api/events?category=&city=&search=&featured=')).status).toBe(200);
});

it('a promotion made by a script gets the defaults of its form', async () => {
  const made = await created('promotions', { name: 'New', code: 'new', validUntil: '2099-01-01' });
  const form = { discountType: 'percentage', discountValue: '0', usageLimit: null, isActive: true };
  expect(made).toMatchObject(form);
  const asked = { code: 'new', eventId: await hall.listed(), totalAmount: 20 };
  const checked = await (await site.member()).browser.post('/api/validate-promotion', asked);
  expect(checked.body).toMatchObject({ valid: true, discountAmount: '0.00' });
  const { validFrom: _, ...short } = made;
  const edited = await sue.browser.call('PUT', `${ROOT}/promotions/${made.id}`, short);
  expect(edited).toMatchObject({ status: 400, body: { fields: { validFrom: 'Say when it begins' } } });
});

it('a script can send a category by its name', async () => {
  const listing = { ...eventBody(), category: 'Spoken & Sung' };
  await created('categories', { ...category, name: 'Spoken' });
  const [row] = (await sue.browser.get(`${ROOT}/categories?search=spoken`)).body.filter(
    ({ slug }: { slug: string }) => slug === 'spoken',
  );
  await sue.browser.call('PUT', `${ROOT}/categories/${row.id}`, { ...row, name: 'Spoken & Sung' });
  await site.caughtUp();
  expect(await created('events', listing)).toMatchObject({ category: 'spoken' });
  const member = await site.member();
  const enhance = (favoriteCategories: unknown) =>
    member.browser.call('PATCH', '/api/profile/enhance', {
      ...{ dateOfBirth: '1990-04-05', preferences: { favoriteCategories } },
    });
  const known = await enhance(['spoken & sung', 'spoken']);
  expect(known.body).toMatchObject({ user: { preferences: { favoriteCategories: ['spoken'] } } });
  expect(await enhance(['Nowhere'])).toMatchObject({ status: 400, body: { message: 'Not a category' } });
});

it('a script’s missing input is reported in the site’s own words', async () => {
  const { browser } = sue;
  const { id } = await site.member();
  const unconfirmed = await browser.call('DELETE', `${ROOT}/users/${id}/hard-delete`);
  expect(unconfirmed).toMatchObject({
    status: 400,
    body: { fields: { confirmPermanent: 'A permanent deletion has to be confirmed' } },
  });
  const { cityId: _, venueId: __, ...placeless } = eventBody();
  const untitled = await browser.post(`${ROOT}/events`, { ...placeless, title: ' ' });
  expect(untitled.body.fields).toEqual({
    title: 'Title is required',
    cityId: 'City selection is required',
    venueId: 'Venue selection is required',
  });
  const switched = await browser.post(`${ROOT}/email-templates`, { name: 'On', ...words, isActive: 'yes' });
  expect(switched.body).toMatchObject({ message: 'Must be true or false' });
  const listed = await browser.get(`${ROOT}/refunds?status=lost`);
  expect(listed.body.message).toBe('Must be processing or completed or denied');
  const asleep = await browser.post(`${ROOT}/events`, { ...eventBody(), isActive: false });
  expect(asleep.body.message).toBe('A new event is active: edit it to take it off the lists');
  const misspelt = await site
    .visitor()
    .post('/api/auth/login', { email: 'a@b.example', password: 'secret', me: 1 });
  expect(misspelt.body.message).toBe('Unknown: me');
});
