/** Venues, as superusers keep them. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addCategory, removeCategory } from '#command-api/catalogue/categories.ts';
import { addListing, newListingId } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue, editVenue, removeCity, removeVenue } from '#command-api/catalogue/places.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { category } from '#domain/content/category.ts';
import { createEventRequest } from '#domain/contracts/admin-events.ts';
import { adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { city } from '#domain/place/city.ts';
import { venue } from '#domain/place/venue.ts';
import { type Hall, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let exchange: Hall;
/** The venue form, for Leeds. */
let form: { name: string; address: string; cityId: number; capacity: number };
let york: number;
beforeAll(async () => {
  site = await startSite();
  exchange = await openHall(site);
  superuser = await site.member('superuser', 'Sue');
  form = { name: 'Brudenell', address: '33 Queens Road', cityId: exchange.form.cityId, capacity: 400 };
  const city = { name: 'York', state: 'North Yorkshire', country: 'England' };
  york = (await superuser.browser.post('/api/admin/cities', city)).body.id;
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers = {}) =>
  superuser.browser.call(method, `/api/admin/venues${path}`, body, headers);
const names = async (query = {}): Promise<string[]> =>
  (await superuser.browser.ask(adminVenueCalls.list, { query })).map(({ name }) => name);

describe('a venue', () => {
  it('is added, edited and deleted, and is offered in its city', async () => {
    const made = await send('POST', '', form);
    expect(made).toMatchObject({ status: 201, body: { ...form, city: 'Leeds' } });
    const { id } = made.body;
    expect(await names()).toEqual(['Brudenell', 'Corn Exchange']);
    expect(await names({ sort: '-capacity', search: 'leeds', limit: 1 })).toEqual(['Brudenell']);

    const moved = { ...form, name: 'Brudenell Social Club', cityId: york, capacity: 450 };
    const edited = await send('PUT', `/${id}`, moved);
    expect(edited).toMatchObject({ status: 200, body: { ...moved, city: 'York' } });
    const inYork = await superuser.browser.ask(adminVenueCalls.ofCity, { params: { cityId: york } });
    expect(inYork).toEqual([edited.body]);

    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 });
    expect(await names()).toEqual(['Corn Exchange']);
    for (const gone of [await send('PUT', `/${id}`, form), await send('DELETE', '/99999')])
      expect(gone).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('is added once for one key, however often it is sent', async () => {
    const key = { 'idempotency-key': '7c5b0f7e-5c3b-4a6e-9a53-0f3f5f1d2c12' };
    const first = await send('POST', '', { ...form, name: 'Belgrave' }, key);
    expect((await send('POST', '', { ...form, name: 'Belgrave' }, key)).body).toEqual(first.body);
    expect(await names({ search: 'belgrave' })).toEqual(['Belgrave']);
  });

  it('cannot be deleted or change its city while it has events, and the refusal names them', async () => {
    const { listed, form: event } = exchange;
    const brass = await listed({ title: 'Autumn Brass' });
    await listed({ title: 'Blue Notes' });
    await site.caughtUp();
    const used = {
      status: 409,
      body: {
        code: 'IN_USE',
        message: 'This is still in use by Autumn Brass and 1 more.',
        usedBy: [{ kind: 'event', id: brass, name: 'Autumn Brass' }, { name: 'Blue Notes' }],
      },
    };
    const corn = { ...form, name: 'Corn Exchange' };
    expect(await send('DELETE', `/${event.venueId}`)).toMatchObject(used);
    const refused = await send('PUT', `/${event.venueId}`, { ...corn, cityId: york });
    expect(refused).toMatchObject(used);
    expect(refused.body.fields).toEqual({ cityId: 'A venue with events stays in its city' });
    expect(await send('PUT', `/${event.venueId}`, corn)).toMatchObject({ status: 200 });
  });

  it.each([
    [{ name: '' }, 'name', 'Venue name is required'],
    [{ address: undefined }, 'address', 'Address is required'],
    [{ cityId: 0 }, 'cityId', 'City is required'],
    [{ cityId: 99_999 }, 'cityId', 'City selection is required'],
    [{ capacity: undefined }, 'capacity', 'Capacity is required'],
    [{ capacity: 0 }, 'capacity', 'Capacity must be a positive integer'],
  ])('is refused with %j', async (changes, field, message) => {
    const body = { ...form, ...changes };
    for (const refused of [await send('POST', '', body), await send('PUT', '/1', body)])
      expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: message } } });
  });

  it('is in the exported file', async () => {
    const { body } = await superuser.browser.get('/api/admin/venues/export-csv?search=corn');
    expect(body).toMatch(/^\uFEFFID,Name,Address,City ID,City,Capacity\n\d+,Corn Exchange,.*,Leeds,\d+\n$/);
  });
});

describe('deleting a thing that somebody begins to use', () => {
  type Remove = (database: Site['deps']['database'], acting: ActingHandler) => Promise<void>;
  interface Used {
    readonly remove: Remove;
    use(acting: ActingHandler): Promise<unknown>;
    isGone(): Promise<boolean>;
  }
  const newVenue = (acting: ActingHandler, cityId = york) =>
    addVenue(site.deps, { ...form, name: 'The Crescent', cityId }, acting);
  const newListing = async (acting: ActingHandler, changes: object) => {
    const request = createEventRequest.parse({ ...exchange.form, ...changes });
    return addListing(await newListingId(site.deps), request, acting);
  };
  const kinds: Record<string, () => Promise<Used>> = {
    city: async () => {
      const id = await addCity(site.deps, { name: 'Ripon', state: '', country: 'England' }, site.acting());
      return {
        remove: (database, acting) => removeCity({ database }, id, acting),
        use: (acting) => newVenue(acting, id),
        isGone: async () => (await site.deps.handler.state(city, id)).state.archived,
      };
    },
    venue: async () => {
      const id = await newVenue(site.acting());
      return {
        remove: (database, acting) => removeVenue({ database }, id, acting),
        use: (acting) => newListing(acting, { cityId: york, venueId: id }),
        isGone: async () => (await site.deps.handler.state(venue, id)).state.archived,
      };
    },
    'venue that goes to another city': async () => {
      const id = await newVenue(site.acting());
      const there = { ...form, name: 'The Crescent', cityId: form.cityId };
      return {
        remove: (database, acting) => editVenue({ database }, id, there, acting),
        use: (acting) => newListing(acting, { cityId: york, venueId: id }),
        isGone: async () => (await site.deps.handler.state(venue, id)).state.details?.cityId !== york,
      };
    },
    category: async () => {
      const named = { name: `Chess ${randomUUID()}`, emoji: '♟', description: '' };
      const { slug } = await addCategory(site.deps, named, site.acting());
      return {
        remove: (database, acting) => removeCategory({ database }, slug, acting),
        use: (acting) => newListing(acting, { category: slug }),
        isGone: async () => (await site.deps.handler.state(category, slug)).state.archived,
      };
    },
  };

  it.each(Object.entries(kinds))('keeps a %s if it is used after the check', async (_, make) => {
    const { remove, use, isGone } = await make();
    const { pool, ...rest } = site.foundation.database;
    let looked = false;
    const query = async (text: string, values: readonly unknown[]) => {
      const found = await pool.query(text, [...values]);
      if (!looked) await use(site.acting());
      looked = true;
      return found;
    };
    const database = { ...rest, pool: { query } as unknown as typeof pool };
    await expect(remove(database, site.acting())).rejects.toMatchObject({ code: 'IN_USE' });
    expect(await isGone()).toBe(false);
  });

  it.each(Object.entries(kinds))('restores a %s if its new user had checked before', async (_, make) => {
    const { remove, use, isGone } = await make();
    const acting = site.acting();
    vi.spyOn(acting, 'do').mockImplementationOnce(async (...command) => {
      await remove(site.foundation.database, site.acting());
      expect(await isGone()).toBe(true);
      return acting.do(...command);
    });
    await use(acting);
    expect(await isGone()).toBe(false);
  });
});
