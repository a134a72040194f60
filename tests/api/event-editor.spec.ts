/** Events, as superusers edit, feature and delete them. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addListing, editListing, newListingId } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue, editCity } from '#command-api/catalogue/places.ts';
import { caughtUp } from '#command-api/purchase/end-purchases.ts';
import { adminEventCalls, createEventRequest } from '#domain/contracts/admin-events.ts';
import { adminCityCalls } from '#domain/contracts/admin-places.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { toInstant, toWallClock } from '#domain/kernel/zone.ts';
import { listing } from '#domain/listing/listing.ts';
import { city } from '#domain/place/city.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { mailTo } from '#tests/kit/mails.ts';
import { bought, DAY, type Hall, inTime, moveBack, openHall } from '#tests/kit/programme.ts';
import { BASE_URL, type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let sue: Member;
let hall: Hall;
beforeAll(async () => {
  site = await startSite();
  hall = await openHall(site);
  sue = await site.member('superuser', 'Sue');
});

const send = (method: 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  sue.browser.call(method, `/api/admin/events/${path}`, body);
const found = async (id: number) => {
  await site.caughtUp();
  return (await sue.browser.ask(adminEventCalls.list)).find((event) => event.id === id);
};

describe('an event', () => {
  it('is edited and keeps omitted fields', async () => {
    const id = await hall.listed({ tags: ['puppets'], featured: true, imageUrl: '/images/moon.webp' });
    const shown = await found(id);
    expect(shown?.imageUrl).toBe(`${BASE_URL}/images/moon.webp`);
    const { featured: _, ...form } = { ...hall.form, imageUrl: shown?.imageUrl };
    const changes = { title: 'Paper Suns', time: '7:45 PM', price: 0.3 + 1, capacity: 40 };
    const edited = await send('PUT', String(id), { ...form, ...changes });
    const after = {
      ...{ title: 'Paper Suns', time: '19:45', price: '1.30', capacity: 40 },
      ...{ tags: ['puppets'], featured: true, isActive: true, imageUrl: shown?.imageUrl },
    };
    expect(edited).toMatchObject({ status: 200, body: after });
    expect(await found(id)).toMatchObject(after);
    const { details } = (await site.deps.handler.state(listing, id)).state;
    expect(details?.imageUrl).toBe('/images/moon.webp');

    const closed = { ...form, tags: [], featured: false, isActive: false };
    expect(await send('PUT', String(id), closed)).toMatchObject({ status: 200 });
    expect(await found(id)).toMatchObject({ tags: [], featured: false, isActive: false });
  });

  it('shows only the markup that the server allows, whatever the log has', async () => {
    const id = await hall.listed();
    const { details, schedule: start } = (await site.deps.handler.state(listing, id)).state;
    if (!details || !start) throw new Error('not listed');
    const description = '<p onclick="x()">Shadow <img src=x onerror=x()>theatre.</p>';
    const at = site.deps.clock().toISOString();
    const edit = { type: 'EditListing', details: { ...details, description }, start, at } as const;
    await site.acting().do(listing, id, edit);
    expect((await found(id))?.description).toBe('<p>Shadow theatre.</p>');
    const shown = await sue.browser.ask(catalogueCalls.event, { params: { id } });
    expect(shown.description).toBe('<p>Shadow theatre.</p>');
  });

  it('has its characters checked that tickets would show as boxes', async () => {
    const asked = { query: { text: 'Café 𐀀\ue000 张伟' } };
    expect(await sue.browser.ask(adminEventCalls.ticketText, asked)).toEqual({ missing: ['𐀀', '\ue000'] });
  });

  it('can be added with a new city and a new venue', async () => {
    const { cityId: _, venueId: __, ...form } = hall.form;
    const newCity = { name: 'Hebden Bridge', state: 'West Yorkshire', country: 'United Kingdom' };
    const newVenue = { name: 'Trades Club', address: 'Holme Street', capacity: 180 };
    const key = { 'idempotency-key': '7f6b0f6e-3f33-4a86-9d3a-1f5f4d7c2b10' };
    const create = (body: object, headers = {}) => sue.browser.post('/api/admin/events', body, headers);
    // What is refused adds neither.
    expect(await create({ ...form, newCity, newVenue, ...inTime(-DAY) })).toMatchObject({ status: 400 });
    const made = await create({ ...form, newCity, newVenue }, key);
    expect(made).toMatchObject({
      status: 201,
      body: {
        city: 'Hebden Bridge',
        venue: 'Trades Club',
        _metadata: { newCityCreated: true, newVenueCreated: true },
      },
    });
    const again = await create({ ...form, newCity, newVenue }, key);
    expect(again.body).toEqual(made.body);
    await site.caughtUp();
    const cities = await sue.browser.ask(adminCityCalls.list, { query: { search: 'Hebden' } });
    expect(cities).toMatchObject([{ id: made.body.cityId, ...newCity, zone: 'Europe/London' }]);
    expect(await create({ ...form, newCity, newVenue })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN' },
    });
    const second = { ...newVenue, name: 'Old Town Hall' };
    const { cityId } = made.body;
    expect(await create({ ...form, cityId, newVenue: second })).toMatchObject({
      status: 201,
      body: { cityId, venue: 'Old Town Hall', _metadata: { newCityCreated: false, newVenueCreated: true } },
    });
    expect((await create(hall.form)).body._metadata).toEqual({
      newCityCreated: false,
      newVenueCreated: false,
    });
    for (const [places, field] of [
      [{ newVenue }, 'cityId'],
      [{ cityId, newCity, newVenue }, 'cityId'],
      [{ cityId }, 'venueId'],
      [{ newCity, venueId: made.body.venueId }, 'venueId'],
      [{ newCity: { ...newCity, name: '' }, newVenue }, 'newCity.name'],
    ] as const)
      expect(await create({ ...form, ...places })).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      });
  });

  it('with sold tickets mails its customers a new date or venue, once for each change, with their tickets', async () => {
    const id = await hall.listed();
    const ann = await site.member('user', 'Tess');
    const booked = await bought(site, ann, id, 2);
    const { pool } = site.deps.database;
    /** How many mails the changes have made so far. */
    const told = () =>
      eventually(async () => {
        await caughtUp(site.deps.purchases);
        expect((await pool.query(`select from app.job where kind = 'moved'`)).rowCount).toBe(0);
        const mails = `select from app.outbox where account_id = $1 and kind = 'event-moved'`;
        return (await pool.query(mails, [ann.id])).rowCount;
      });
    const change = (changes: object) => send('PUT', String(id), { ...hall.form, ...changes });
    expect(await change({ title: 'Paper Suns' })).toMatchObject({ status: 200 });
    expect(await told()).toBe(0);
    const { cityId } = hall.form;
    const other = { name: 'Brudenell', address: 'Queen’s Road', cityId, capacity: 90 };
    const venueId = await addVenue(site.deps, other, site.acting());
    expect(await change({ venueId, ...inTime(40 * DAY) })).toMatchObject({ status: 200 });
    expect(await told()).toBe(1);
    expect(await change({ venueId, ...inTime(40 * DAY), time: '00:05' })).toMatchObject({ status: 200 });
    expect(await told()).toBe(2);
    await eventually(async () => {
      const history = await ann.browser.ask(bookingCalls.history, { params: { id: booked.id } });
      expect(history.map(({ title }) => title)).toContain('News of the change sent, with your tickets');
    });
  });

  it.each([
    // Less than a day before the start nothing is paid back.
    ['a day', DAY - 3_600_000, 'Rhoda', undefined],
    ['a week', 7 * DAY - 3_600_000, 'Rufus', 'cancel in your profile today, and you get £32.00 back'],
  ])('reminds its customers %s before, once, with their tickets', async (_, ahead, name, offer) => {
    const id = await hall.listed({ ...inTime(ahead), doors: '00:00' });
    const ann = await site.member('user', name);
    const { id: bookingId } = await bought(site, ann, id, 2);
    const { schedule } = (await site.deps.handler.state(listing, id)).state;
    const { pool } = site.deps.database;
    const job = `insert into app.job (id, kind, subject, payload, due_at) values ($1, 'reminder', '', $2, now())`;
    /** As though its time had come: the job that the booking made waits for the next one. */
    const remind = async () => {
      await pool.query(job, [name, { listingId: id, startsAt: schedule?.startsAt }]);
      await eventually(async () => {
        const { rowCount } = await pool.query('select from app.job where id = $1 and due_at < now()', [name]);
        expect(rowCount).toBe(0);
      });
      await pool.query('delete from app.job where id = $1', [name]);
    };
    await remind();
    const mail = await mailTo(site.foundation.config, ann.email, /^Subject: Coming up/m);
    expect(mail).toContain(`ticket-${bookingId}.pdf`);
    expect(mail).toContain('Doors open at 12 am.');
    if (offer) expect(mail).toContain(offer);
    else expect(mail).not.toContain('cancel in your profile');
    await remind();
    const mails = `select from app.outbox where account_id = $1 and kind = 'event-reminder'`;
    expect((await pool.query(mails, [ann.id])).rowCount).toBe(1);
    await eventually(async () => {
      const history = await ann.browser.ask(bookingCalls.history, { params: { id: bookingId } });
      expect(history.map(({ title }) => title)).toContain('Reminder sent, with your tickets');
    });
  });

  it('cannot have less capacity than sold tickets', async () => {
    const id = await hall.listed();
    await bought(site, await site.member(), id, 2);
    expect(await send('PUT', String(id), { ...hall.form, capacity: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CAPACITY_TOO_SMALL' },
    });
  });

  it.each([
    [{ time: '13:00 PM' }, 'time', 'Must be a time such as 19:30'],
    [{ title: '' }, 'title', 'Title is required'],
    [inTime(-86_400_000), 'date', 'Event date must be in the future'],
    [{ venueId: 999 }, 'venueId', 'Venue selection is required'],
  ])('is refused with %j', async (changes, field, message) => {
    const id = await hall.listed();
    expect(await send('PUT', String(id), { ...hall.form, ...changes })).toMatchObject({
      status: 400,
      body: { fields: { [field]: message } },
    });
  });

  it('is featured and unfeatured', async () => {
    const id = await hall.listed();
    for (const featured of [true, false]) {
      expect(await send('PATCH', `${id}/featured`, { featured })).toMatchObject({ status: 200 });
      expect(await found(id)).toMatchObject({ featured });
    }
    expect(await send('PATCH', `${id}/featured`, {})).toMatchObject({ status: 400 });
  });

  it('is deleted with its bookings after a quote of the refunds', async () => {
    const id = await hall.listed();
    const ann = await site.member();
    const booked = await bought(site, ann, id, 2);
    await site.caughtUp();
    const quote = await sue.browser.ask(adminEventCalls.deletionQuote, { params: { id } });
    expect(quote).toEqual({ bookings: 1, tickets: 2, refundTotal: '40.00', over: false });
    expect(await send('DELETE', String(id))).toMatchObject({ status: 200 });
    expect(await found(id)).toBeUndefined();
    await eventually(async () =>
      expect((await ann.browser.get(`/api/bookings/${booked.id}`)).body).toMatchObject({
        refundAmount: '40.00',
      }),
    );
    expect(await send('DELETE', String(id))).toMatchObject({ status: 200 });
    for (const gone of [await send('DELETE', '99999'), await send('PUT', '99999', hall.form)])
      expect(gone).toMatchObject({ status: 404, body: { code: 'LISTING_NOT_FOUND' } });
    expect(await send('PUT', String(id), hall.form)).toMatchObject({ body: { code: 'LISTING_ARCHIVED' } });
  });

  it('is deleted without refunds once it is over, unless they are asked for', async () => {
    const id = await hall.listed();
    const ann = await site.member();
    const booked = await bought(site, ann, id, 2);
    const shown = () => ann.browser.ask(bookingCalls.read, { params: { id: booked.id } });
    // Who was told that nobody is paid back must not pay because the event has been moved.
    expect(await send('DELETE', String(id), { refund: false })).toMatchObject({ status: 409 });
    await moveBack(site, id);
    await site.caughtUp();
    const quote = await sue.browser.ask(adminEventCalls.deletionQuote, { params: { id } });
    expect(quote).toEqual({ bookings: 1, tickets: 2, refundTotal: '40.00', over: true });
    for (let times = 0; times < 2; times++) {
      expect(await send('DELETE', String(id))).toMatchObject({
        status: 200,
        body: { message: 'Event deleted. Its bookings stay as they are.' },
      });
      expect(await found(id)).toBeUndefined();
    }
    expect(await shown()).toMatchObject({ status: 'completed', refundStatus: null });
    expect(await send('DELETE', String(id), { refund: true })).toMatchObject({ status: 200 });
    await eventually(async () => expect(await shown()).toMatchObject({ refundAmount: '40.00' }));
    expect(await send('DELETE', String(id), { refund: 'yes' })).toMatchObject({ status: 400 });
  });

  it('keeps its time at the venue when its city’s zone is corrected, and its customers are told', async () => {
    const country = { state: 'Lazio', country: 'Italy' };
    const cityId = await addCity(site.deps, { name: 'Rome', ...country }, site.acting());
    const stage = { name: 'Auditorium', address: 'Viale de Coubertin', cityId, capacity: 90 };
    const venueId = await addVenue(site.deps, stage, site.acting());
    const there = { cityId, venueId, ...inTime(30 * DAY), time: '19:30' };
    const [coming, past, elsewhere] = [
      await hall.listed(there),
      await hall.listed(there),
      await hall.listed(),
    ];
    await moveBack(site, past);
    const cora = await site.member('user', 'Cora');
    await bought(site, cora, coming);
    const [before, over, other] = [await found(coming), await found(past), await found(elsewhere)];

    const path = `/api/admin/cities/${cityId}`;
    const rome = { name: 'Rome', ...country, zone: 'Europe/Rome' };
    for (let times = 0; times < 2; times++)
      expect(await sue.browser.call('PUT', path, rome)).toMatchObject({ status: 200 });
    const { date, time } = before ?? {};
    const startsAt = toInstant({ date: date ?? '', time: '19:30' }, 'Europe/Rome');
    expect(await found(coming)).toMatchObject({ date, time, zone: 'Europe/Rome', startsAt });
    expect([await found(past), await found(elsewhere)]).toEqual([over, other]);
    await mailTo(site.foundation.config, cora.email, /time zone/);

    const { form } = hall;
    const renamed = { ...form, cityId, venueId, title: 'Late Moons', date: over?.date, time: over?.time };
    expect(await send('PUT', String(past), renamed)).toMatchObject({
      status: 200,
      body: { title: 'Late Moons', startsAt: over?.startsAt },
    });
  });

  describe('saved while its city’s zone is corrected', () => {
    const country = { state: 'Lazio', country: 'Italy' };
    const inRome = async () => {
      const cityId = await addCity(site.deps, { name: randomUUID(), ...country }, site.acting());
      const stage = { name: 'Auditorium', address: 'Viale de Coubertin', cityId, capacity: 90 };
      return {
        cityId,
        venueId: await addVenue(site.deps, stage, site.acting()),
        ...inTime(30 * DAY),
        time: '19:30',
      };
    };
    const correct = async (cityId: number, zone: string, acting = site.acting()) => {
      const { details } = (await site.deps.handler.state(city, cityId)).state;
      await editCity(site.deps, cityId, { ...country, name: details?.name ?? '', zone }, acting);
    };
    const zoneOf = async (id: number) => (await site.deps.handler.state(listing, id)).state.schedule?.zone;
    /** Has the zone corrected between what somebody reads and what they write first. */
    const overtaken = (cityId: number, zone = 'Europe/Rome') => {
      const acting = site.acting();
      vi.spyOn(acting, 'do').mockImplementationOnce(async (...command) => {
        await correct(cityId, zone);
        return acting.do(...command);
      });
      return acting;
    };
    const parsed = (changes: object) => createEventRequest.parse({ ...hall.form, ...changes });

    it('has the new zone, whether it is added or moved, and the answer has it too', async () => {
      const there = await inRome();
      const id = await newListingId(site.deps);
      const made = await addListing(id, parsed(there), overtaken(there.cityId));
      expect(made.listing.schedule).toMatchObject({ time: '19:30', zone: 'Europe/Rome' });
      expect(await zoneOf(id)).toBe('Europe/Rome');
      await site.caughtUp();
      await editListing(id, parsed({ ...there, time: '20:00' }), overtaken(there.cityId, 'Europe/London'));
      expect((await site.deps.handler.state(listing, id)).state.schedule).toMatchObject({
        time: '20:00',
        zone: 'Europe/London',
      });
    });

    it('has the last of two zones, whichever correction is done first', async () => {
      const there = await inRome();
      const id = await hall.listed(there);
      await site.caughtUp();
      const acting = site.acting();
      vi.spyOn(acting, 'ask').mockImplementation(async (...command) => {
        vi.mocked(acting.ask).mockRestore();
        const done = await acting.ask(...command);
        await correct(there.cityId, 'Europe/Madrid');
        return done;
      });
      await correct(there.cityId, 'Europe/Rome', acting);
      expect(await zoneOf(id)).toBe('Europe/Madrid');
    });
  });

  it('that has begun can be deleted once its day is over', async () => {
    const id = await hall.listed();
    const { details, schedule } = (await site.deps.handler.state(listing, id)).state;
    if (!details || !schedule) throw new Error('it was never listed');
    const { zone } = schedule;
    const now = toWallClock(new Date().toISOString(), zone);
    const start = { date: now.date, time: '00:00', zone };
    await site
      .acting()
      .do(listing, id, { type: 'EditListing', details, start, at: '2026-01-01T12:00:00.000Z' });
    for (const body of [undefined, { refund: true }, { refund: false }])
      expect(await send('DELETE', String(id), body)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
  });
});
