import { beforeAll, describe, expect, it } from 'vitest';
import { addCategory, editCategory } from '#command-api/catalogue/categories.ts';
import { addListing, editListing, newListingId } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue } from '#command-api/catalogue/places.ts';
import {
  addPromotion,
  archivePromotion,
  editPromotion,
  findPromotion,
  type PromotionRequest,
} from '#command-api/catalogue/promotions.ts';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import { type CreateEventRequest, createEventRequest } from '#domain/contracts/admin-events.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { extrasOf } from '#domain/listing/extras.ts';
import { listing } from '#domain/listing/listing.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

let site: StandingApi;
let superuser: Visitor;
let customer: Visitor;
let form: CreateEventRequest;

const place = { state: 'England', country: 'United Kingdom' };
const parsed = (changes: Partial<CreateEventRequest> = {}) =>
  createEventRequest.parse({ ...form, ...changes });
const stateOf = async (id: number) => ({
  listed: (await site.deps.handler.state(listing, id)).state,
  tickets: (await site.deps.handler.state(inventory, id)).state,
});

beforeAll(async () => {
  site = await startCommandApi();
  superuser = (await site.member('superuser')).browser;
  customer = (await site.member()).browser;
  const london = await addCity(site.deps, { name: 'London', ...place }, site.acting());
  const hall = await addVenue(
    site.deps,
    { name: 'Cecil Hall', address: '2 Regent Road', cityId: london, capacity: 900 },
    site.acting(),
  );
  await addCategory(site.deps, { name: 'Culture & Arts', emoji: '🎭', description: '' }, site.acting());
  form = {
    title: 'Paper Moons',
    description: '<h2>Tonight</h2><p onclick="x()">Shadow theatre.<script>alert(1)</script></p>',
    category: 'culture',
    location: '2 Regent Road, London',
    cityId: london,
    venueId: hall,
    date: '2026-03-20',
    time: '19:30',
    price: 18.5,
    capacity: 120,
    availableTickets: 120,
    featured: true,
    imageUrl: null,
  };
});

const create = (body: object, headers: Record<string, string> = {}, browser = superuser) =>
  browser.call('POST', '/api/admin/events', body, headers);

describe('adding an event', () => {
  it('makes a listing with its tickets', async () => {
    const reply = await create(form);
    expect(reply.status).toBe(201);
    const made = reply.body;
    expect(made).toMatchObject({
      title: 'Paper Moons',
      description: '<h2>Tonight</h2><p>Shadow theatre.</p>',
      category: 'culture',
      city: 'London',
      venue: 'Cecil Hall',
      date: '2026-03-20',
      time: '19:30',
      startsAt: '2026-03-20T19:30:00.000Z',
      price: '18.50',
      capacity: 120,
      availableTickets: 120,
      featured: true,
      isActive: true,
      _metadata: { newCityCreated: false, newVenueCreated: false },
    });
    expect(reply.headers.get('x-log-position')).toBe(`${site.deps.log.id}:${await site.deps.log.head()}`);
    const { listed, tickets } = await stateOf(made.id);
    expect(listed).toMatchObject({ listingId: made.id, active: true, featured: true });
    expect(tickets).toMatchObject({ listingId: made.id, capacity: 120, sold: 0, held: 0 });
  });

  it('makes one listing for a repeated request', async () => {
    const key = { 'idempotency-key': site.deps.ids.uuid() };
    const first = await create(form, key);
    const again = await create(form, key);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('x-log-position')).toBe(first.headers.get('x-log-position'));
    const other = await create({ ...form, title: 'Paper Suns' }, key);
    expect(other.status).toBe(422);
    expect(other.body).toMatchObject({ code: 'KEY_REUSED' });
  });

  it.each([
    ['a start that has gone by', { date: '2026-02-28' }, 'date', 'Event date must be in the future'],
    ['no city', { cityId: 999 }, 'cityId', 'City selection is required'],
    ['no venue', { venueId: 999 }, 'venueId', 'Venue selection is required'],
    ['no category', { category: 'opera' }, 'category', 'Category is required'],
    ['no title', { title: ' ' }, 'title', 'Title is required'],
    ['markup alone', { description: '<p></p>' }, 'description', 'Description is required'],
  ])('refuses %s and leaves nothing behind', async (_, changes, field, message) => {
    const before = await site.deps.log.head();
    const reply = await create({ ...form, ...changes });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      code: 'BAD_INPUT',
      fields: { [field]: message },
      errors: [message],
    });
    expect(await site.deps.log.head()).toBe(before);
  });

  it('refuses a venue of another city', async () => {
    const leeds = await addCity(site.deps, { name: 'Leeds', ...place }, site.acting());
    const reply = await create({ ...form, cityId: leeds });
    expect(reply.body).toMatchObject({ fields: { venueId: 'Venue selection is required' } });
  });
});

describe('an interrupted listing', () => {
  it('is finished by a repeat with the same id, at the capacity then requested', async () => {
    const id = await newListingId(site.deps);
    const open = { type: 'OpenInventory', listingId: id, capacity: 10 } as const;
    await site.acting().do(inventory, id, open);
    expect((await addListing(id, parsed(), site.acting())).inventory.capacity).toBe(120);
    const head = await site.deps.log.head();
    await addListing(id, parsed(), site.acting());
    expect(await site.deps.log.head()).toBe(head);
  });
});

describe('editing a listing', () => {
  it('changes what differs, the tickets first', async () => {
    const id = await newListingId(site.deps);
    await addListing(id, parsed(), site.acting());
    await editListing(id, parsed({ time: '20:00', capacity: 90, featured: false }), site.acting());
    const { listed, tickets } = await stateOf(id);
    expect(listed).toMatchObject({
      featured: false,
      former: [expect.anything()],
      schedule: { time: '20:00' },
    });
    expect(tickets.capacity).toBe(90);
    await site.acting().do(listing, id, { type: 'DeactivateListing' });
    expect((await stateOf(id)).listed.active).toBe(false);
  });

  it('keeps the minimum age if it is omitted', async () => {
    const made = await create({ ...form, minimumAge: 18 });
    expect(made).toMatchObject({ status: 201, body: { minimumAge: 18 } });
    const edited = async (changes: object) => {
      await editListing(made.body.id, parsed(changes), site.acting());
      return (await stateOf(made.body.id)).listed.details?.extras.minimumAge;
    };
    expect(await edited({ price: 20 })).toBe(18);
    expect(await edited({ minimumAge: 16 })).toBe(16);
    expect(await edited({ minimumAge: 0 })).toBeNull();
    expect((await create({ ...form })).body.minimumAge).toBeNull();
    for (const minimumAge of [-1, 22, 17.5, '18']) {
      expect(await create({ ...form, minimumAge })).toMatchObject({
        status: 400,
        body: { fields: { minimumAge: 'Minimum age must be a whole number from 0 to 21' } },
      });
    }
  });

  it('stores door and end times, the entrance and the organiser', async () => {
    const facts = { doors: '18:30', end: '22:00', access: 'A lift at the back', organiser: 'Night Ferry' };
    const made = await create({ ...form, ...facts, doors: '6:30 PM' });
    expect(made).toMatchObject({ status: 201, body: facts });
    const edited = async (changes: object) => {
      await editListing(made.body.id, parsed(changes), site.acting());
      return (await stateOf(made.body.id)).listed.details?.extras;
    };
    expect(await edited({ price: 20 })).toEqual(extrasOf(facts));
    const fewer = { ...facts, end: null, access: null };
    expect(await edited({ end: null, access: ' ' })).toEqual(extrasOf(fewer));
    const none = { doors: null, end: null, access: null, organiser: null };
    expect((await create({ ...form })).body).toMatchObject(none);
    expect(await create({ ...form, doors: 'late' })).toMatchObject({
      status: 400,
      body: { fields: { doors: expect.any(String) } },
    });
    expect(await create({ ...form, doors: '23:45', end: form.time })).toMatchObject({
      status: 400,
      body: {
        fields: { doors: 'The doors must open before the start', end: 'The end must differ from the start' },
      },
    });
  });

  it('leaves the tickets alone if the other changes are refused', async () => {
    const id = await newListingId(site.deps);
    await addListing(id, parsed(), site.acting());
    const past = editListing(id, parsed({ date: '2026-01-01', capacity: 90 }), site.acting());
    await expect(past).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect((await stateOf(id)).tickets.capacity).toBe(120);
    await expect(editListing(9_999, parsed(), site.acting())).rejects.toMatchObject({
      code: 'LISTING_NOT_FOUND',
    });
  });

  it('refuses a capacity below the tickets sold or held', async () => {
    const id = await newListingId(site.deps);
    await addListing(id, parsed(), site.acting());
    const sell = { type: 'SellTickets', attempt: 'a', bookingId: 1, userId: 'u', quantity: 5 } as const;
    await site.acting().do(inventory, id, sell);
    await expect(editListing(id, parsed({ capacity: 4 }), site.acting())).rejects.toMatchObject({
      code: 'CAPACITY_TOO_SMALL',
    });
  });
});

describe('categories and settings', () => {
  it('a category’s slug never changes', async () => {
    const jazz = await addCategory(site.deps, { name: 'Jazz', emoji: '🎷', description: '' }, site.acting());
    expect(jazz.slug).toBe('jazz');
    const renamed = await editCategory(
      'jazz',
      { name: 'Late Jazz', emoji: '🎷', description: '' },
      site.acting(),
    );
    expect(jazz.slug).toBe('jazz');
    expect(renamed.state).toMatchObject({ categoryId: jazz.id });
    await expect(
      addCategory(site.deps, { name: 'JAZZ', emoji: '🎺', description: '' }, site.acting()),
    ).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  });

  it('an invalid setting is refused', async () => {
    const setting = { key: 'booking_enabled', description: '', category: 'general' };
    await changeSetting({ ...setting, value: 'true' }, site.acting());
    await expect(changeSetting({ ...setting, value: 'maybe' }, site.acting())).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });
});

describe('promotions', () => {
  const terms = (code: string, changes: Partial<PromotionRequest> = {}): PromotionRequest => ({
    code,
    name: 'Spring',
    description: '',
    discountType: 'percentage',
    discountValue: 12.5,
    usageLimit: null,
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: '2026-12-31T00:00:00.000Z',
    isActive: true,
    ...changes,
  });
  const check = async (code: string, totalAmount: string | number, browser = customer) => {
    const eventId = (await create(form)).body.id as number;
    return browser.call('POST', '/api/validate-promotion', { code, eventId, totalAmount });
  };

  it('are checked for buyers, in any case of letters', async () => {
    await addPromotion(site.deps, terms('spring'), site.acting());
    const reply = await check(' Spring ', '57.00');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      valid: true,
      discountAmount: '7.13',
      message: 'SPRING takes £7.13 off.',
      promotion: { code: 'SPRING', discountType: 'percentage', discountValue: '12.5' },
    });
  });

  it('are answered with 200 if the code is invalid', async () => {
    await addPromotion(site.deps, terms('OVER', { validUntil: '2026-02-01T00:00:00.000Z' }), site.acting());
    for (const code of ['OVER', 'NONE', 'not a code']) {
      const reply = await check(code, 57);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        valid: false,
        discountAmount: '0.00',
        message: 'This promo code is not valid.',
        promotion: null,
      });
    }
  });

  it('require a listing, an amount and a signed-in user', async () => {
    const body = { code: 'SPRING', eventId: 99_999, totalAmount: '1.00' };
    expect((await customer.call('POST', '/api/validate-promotion', body)).status).toBe(404);
    expect((await check('SPRING', 'much')).status).toBe(400);
  });

  it('have one code each, which is free again when they end', async () => {
    const id = await addPromotion(site.deps, terms('ONCE'), site.acting());
    await expect(addPromotion(site.deps, terms('once'), site.acting())).rejects.toMatchObject({
      code: 'CODE_TAKEN',
    });
    await archivePromotion(id, site.acting());
    expect(await findPromotion(site.deps, 'ONCE')).toBeUndefined();
    const next = await addPromotion(site.deps, terms('ONCE'), site.acting());
    expect(await findPromotion(site.deps, 'once')).toMatchObject({ promotionId: next });
  });

  it('can change their code', async () => {
    const id = await addPromotion(site.deps, terms('BEFORE'), site.acting());
    await editPromotion(id, terms('AFTER', { discountValue: 20 }), site.acting());
    expect(await findPromotion(site.deps, 'BEFORE')).toBeUndefined();
    expect(await findPromotion(site.deps, 'AFTER')).toMatchObject({
      promotionId: id,
      terms: { discountValue: 20 },
    });
  });

  it('release a code whose promotion was never made', async () => {
    const take = { type: 'TakeCode', promotionId: 88_888 } as const;
    await site.acting().do(promoCode, 'ORPHAN', take);
    const id = await addPromotion(site.deps, terms('ORPHAN'), site.acting());
    expect(await findPromotion(site.deps, 'ORPHAN')).toMatchObject({ promotionId: id });
  });

  it('are refused with invalid terms before anything is written', async () => {
    const before = await site.deps.log.head();
    await expect(
      addPromotion(site.deps, terms('BAD', { discountValue: 120 }), site.acting()),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(await site.deps.log.head()).toBe(before);
  });
});
