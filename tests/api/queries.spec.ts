/** The queries on the real log, with the projector running: what people read after they did something. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { addListing, editListing, newListingId } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue } from '#command-api/catalogue/places.ts';
import {
  adminEventCalls,
  type CreateEventRequest,
  createEventRequest,
} from '#domain/contracts/admin-events.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { type Booking, bookingCalls } from '#domain/contracts/bookings.ts';
import { catalogueCalls, liveMessage } from '#domain/contracts/catalogue.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { listing } from '#domain/listing/listing.ts';
import { projections } from '#projector/projections/all.ts';
import { compareWithRebuild } from '#projector/rebuild/rebuild.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, codesOf, DAY, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

let site: Site;
let superuser: Member;
let staff: Member;
let form: CreateEventRequest;

const listed = async (changes: Partial<CreateEventRequest> = {}): Promise<number> => {
  const id = await newListingId(site.deps);
  await addListing(id, createEventRequest.parse({ ...form, ...changes }), site.acting());
  return id;
};
const edited = (id: number, changes: Partial<CreateEventRequest>) =>
  editListing(id, createEventRequest.parse({ ...form, ...changes }), site.acting());
const historyOf = async ({ browser }: Member, id: number) =>
  (await browser.ask(bookingCalls.history, { params: { id } })).map(({ kind }) => kind);

beforeAll(async () => {
  site = await startSite();
  const hall = await openHall(site);
  const { deps, acting } = site;
  const glasgow = await addCity(
    deps,
    { name: 'Glasgow', state: 'Scotland', country: 'United Kingdom' },
    acting(),
  );
  const lodz = { name: 'Łódź Hall', address: '2 Regent Road', capacity: 900, cityId: glasgow };
  const venueId = await addVenue(deps, lodz, acting());
  await addCategory(deps, { name: 'Culture & Arts', emoji: '🎭', description: '' }, acting());
  form = { ...hall.form, category: 'culture', location: '2 Regent Road, Glasgow', cityId: glasgow, venueId };
  superuser = await site.member('superuser', 'Sue');
  staff = await site.member('staff', 'Kim');
});

describe('the catalogue', () => {
  let cheap: number;
  let dear: number;
  let gone: number;
  const ids = async (query: string) =>
    (await site.visitor().get(`/api/events?${query}`)).body.map(({ id }: { id: number }) => id);

  beforeAll(async () => {
    cheap = await listed({
      price: 5,
      category: 'concerts',
      title: 'Fête de la Musique, Theatre',
      ...inTime(50 * DAY),
    });
    dear = await listed({ price: 80, featured: true, ...inTime(40 * DAY) });
    gone = await listed({ title: 'Switched off: Musiqeu', minimumAge: 18 });
    await site.acting().do(listing, gone, { type: 'DeactivateListing' });
    await site.caughtUp();
    expect(await ids('')).toEqual([dear, cheap]);
  });

  it('is filtered by category, city, words and featured events, in any case of letters', async () => {
    expect(await ids('category=concerts')).toEqual([cheap]);
    expect(await ids('category=culture%20%26%20arts')).toEqual([dear]);
    expect(await ids('city=GLASGOW')).toEqual([dear, cheap]);
    expect(await ids('city=Leeds')).toEqual([]);
    expect(await ids('featured=true')).toEqual([dear]);
    expect(await ids('search=fete%20mus')).toEqual([cheap]);
    expect(await ids('search=lodz')).toEqual([dear, cheap]);
    expect(await ids('category=&city=&search=')).toEqual([dear, cheap]);
  });

  it('is found by a misspelt name on request, with filters and pages, without hidden events', async () => {
    expect(await ids('search=musiqeu')).toEqual([]);
    expect(await ids('search=musiqeu&spelling=near')).toEqual([cheap]);
    expect(await ids('search=glasgwo&spelling=near&sort=price-high')).toEqual([dear, cheap]);
    expect(await ids('search=glasgwo&spelling=near&category=concerts')).toEqual([cheap]);
    expect(await ids('search=musique&spelling=near')).toEqual([cheap]);
    expect(await ids('search=swithced&spelling=near')).toEqual([]);
    expect(await ids('search=shaddow%20glasgwo&spelling=near')).toEqual([]);
    expect(await ids('search=shadow%20glasgwo&spelling=near')).toEqual([dear, cheap]);
    expect(await ids('spelling=near')).toEqual([dear, cheap]);
    const page = await site.visitor().get('/api/events?search=glasgwo&spelling=near&limit=1');
    expect(page.headers.get('x-total-count')).toBe('2');
    const cursor = encodeURIComponent(page.headers.get('x-next-cursor') ?? '');
    expect(await ids(`search=glasgwo&spelling=near&limit=1&cursor=${cursor}`)).toEqual([cheap]);
  });

  it('is found despite wrong spaces, and by names that only resemble the search', async () => {
    expect(await ids('search=lamusique')).toEqual([]);
    expect(await ids('search=lamusique&spelling=near')).toEqual([cheap]);
    expect(await ids('search=lodzhall&spelling=near')).toEqual([dear, cheap]);
    expect(await ids('search=mus%20ique&spelling=near')).toEqual([cheap]);
    // One has it in its title, and both in their description.
    expect(await ids('search=theatre')).toEqual([dear, cheap]);
    expect(await ids('search=tehatre&spelling=near')).toEqual([cheap]);
  });

  it('is sorted and paged, with the total number', async () => {
    expect(await ids('sort=price-low')).toEqual([cheap, dear]);
    expect(await ids('sort=price-high')).toEqual([dear, cheap]);
    const first = await site.visitor().get('/api/events?limit=1');
    expect(first.headers.get('x-total-count')).toBe('2');
    const cursor = first.headers.get('x-next-cursor') ?? '';
    expect(await ids(`limit=1&cursor=${encodeURIComponent(cursor)}`)).toEqual([cheap]);
  });

  it('shows the page of an unlisted event with booking disabled', async () => {
    const shown = await site.visitor().ask(catalogueCalls.event, { params: { id: gone } });
    expect(shown).toMatchObject({
      isActive: false,
      bookable: false,
      notBookable: 'inactive',
      minimumAge: 18,
    });
  });

  it.each([
    ['/api/events/99999', 404, 'LISTING_NOT_FOUND'],
    ['/api/events/abc', 400, 'BAD_INPUT'],
    ['/api/events?sort=random', 400, 'BAD_INPUT'],
    ['/api/events?limit=501', 400, 'BAD_INPUT'],
    ['/api/events?cursor=nonsense', 400, 'BAD_INPUT'],
  ])('refuses %s', async (path, status, code) => {
    expect(await site.visitor().get(path)).toMatchObject({ status, body: { code } });
  });

  it('shows places, settings and keys to everyone', async () => {
    const visitor = site.visitor();
    expect((await visitor.ask(catalogueCalls.cities)).map(({ name }) => name)).toEqual(['Glasgow', 'Leeds']);
    const categories = await visitor.ask(catalogueCalls.categories);
    expect(categories.map(({ slug }) => slug)).toEqual(['concerts', 'culture']);
    const settings = await visitor.ask(siteCalls.config);
    expect(settings).toContainEqual({ key: 'site_tagline', value: 'Discover Amazing Events' });
    await visitor.ask(siteCalls.payments);
    await visitor.ask(ticketCalls.keys);
  });

  it('is complete for superusers', async () => {
    const { browser } = superuser;
    const all = await browser.ask(adminEventCalls.list);
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([cheap, dear, gone]));
    const cities = await browser.ask(adminCityCalls.list);
    await browser.ask(adminVenueCalls.list);
    const inLeeds = `/api/admin/venues/by-city/${cities.find(({ name }) => name === 'Leeds')?.id}`;
    const venues = (await browser.get(inLeeds)).body as { name: string }[];
    expect(venues.map(({ name }) => name)).toEqual(['Corn Exchange']);
  });
});

describe('a booking', () => {
  it('is visible to its buyer at once, and to no one else', async () => {
    const ann = await site.member();
    const bea = await site.member('user', 'Bea');
    const made = await bought(site, ann, await listed());
    const shown = await ann.browser.ask(bookingCalls.read, { params: { id: made.id } });
    expect(shown).toEqual(made);
    expect(await ann.browser.ask(bookingCalls.list)).toEqual([made]);
    const cancellation = await ann.browser.ask(bookingCalls.cancellation, { params: { id: made.id } });
    expect(cancellation).toMatchObject({
      cancellable: true,
      percent: 100,
      refundAmount: '40.00',
    });
    for (const other of [bea, staff, superuser]) {
      for (const what of ['', '/history', '/cancellation']) {
        const reply = await other.browser.get(`/api/bookings/${made.id}${what}`);
        expect(reply).toMatchObject({ status: 404, body: { code: 'BOOKING_NOT_FOUND' } });
      }
      expect(await other.browser.get(`/api/tickets/${made.id}/download`)).toMatchObject({ status: 404 });
      const cancel = { bookingId: made.id, reason: 'It is not even mine.' };
      expect(await other.browser.post('/api/bookings/cancel', cancel)).toMatchObject({ status: 404 });
    }
  });

  it('shows its whole story: held, paid, booked, mailed, downloaded, scanned and reopened', async () => {
    const ann = await site.member();
    const { id } = await bought(site, ann, await listed());
    await eventually(async () => expect(await historyOf(ann, id)).toContain('mailed'));
    const pdf = await ann.browser.get(`/api/tickets/${id}/download`);
    expect(pdf.status).toBe(200);
    expect(pdf.headers.get('content-disposition')).toContain(`filename="ticket-${id}.pdf"`);
    const [link = ''] = await codesOf(site, id);
    const token = link.split('/').at(-1) ?? '';
    const { browser } = staff;
    const shown = (visitor: Visitor) => visitor.ask(ticketCalls.verify, { params: { token } });
    expect(await shown(site.visitor())).toMatchObject({ standing: 'good' });
    const scan = () => browser.ask(ticketCalls.scan, { body: { encryptedData: link } });
    expect(await scan()).toMatchObject({ valid: true, quantity: 2 });
    expect(await scan()).toMatchObject({
      valid: false,
      code: 'TICKET_USED',
      error: expect.stringMatching(/^Already scanned at .+ by Kim Ashby$/),
    });
    const [accepted] = await browser.ask(ticketCalls.recentScans);
    expect(accepted).toMatchObject({ user: { email: ann.email }, quantity: 2, scannedBy: 'Kim Ashby' });
    const refused = await browser.ask(ticketCalls.refusedScans);
    expect(refused[0]).toMatchObject({ user: { email: ann.email }, code: 'TICKET_USED' });
    expect(await shown(browser)).toMatchObject({ standing: 'used' });
    expect(await historyOf(ann, id)).toEqual([
      ...['held', 'paid', 'booked', 'mailed', 'downloaded', 'scanned', 'refused'],
    ]);
    const cancel = { bookingId: id, reason: 'We have been there already.' };
    expect(await ann.browser.post('/api/bookings/cancel', cancel)).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SCANNED' },
    });
  });

  it('shows its cancellation and its refund to its buyer and to superusers', async () => {
    const ann = await site.member();
    const { id } = await bought(site, ann, await listed(inTime(3 * DAY)));
    const cancel = { bookingId: id, reason: 'My train was cancelled, too.' };
    const done = await ann.browser.ask(bookingCalls.cancel, { body: cancel });
    expect(done).toMatchObject({ refundAmount: '32.00' });
    await eventually(async () => {
      const kinds = await historyOf(ann, id);
      expect(kinds).toEqual(
        expect.arrayContaining(['cancelled', 'refund-approved', 'refund-submitted', 'refunded']),
      );
    });
    await eventually(async () =>
      expect(await ann.browser.ask(bookingCalls.read, { params: { id } })).toMatchObject({
        status: 'refunded',
        tab: 'cancelled',
        refundStatus: 'completed',
        refundAmount: '32.00',
        cancellationReason: cancel.reason,
        ticketUrl: null,
      }),
    );
    expect(await ann.browser.get(`/api/tickets/${id}/download`)).toMatchObject({ status: 409 });
    const { browser } = superuser;
    const refunds = await browser.ask(refundCalls.list, { query: { limit: 10, offset: 0 } });
    expect(refunds[0]).toMatchObject({
      ...{ id, userEmail: ann.email, refundAmount: '32.00', refundReason: cancel.reason },
      ...{ status: 'completed', processingType: 'auto_approved' },
    });
    expect(await browser.ask(refundCalls.stats)).toMatchObject({
      completed: 1,
    });
  });

  it('is among its buyer’s latest, earliest first, however many there were before', async () => {
    const often = await site.member('user', 'Olive');
    const former = await bought(site, often, await listed(inTime(10 * DAY)), 1);
    const next = await bought(site, often, await listed(inTime(20 * DAY)), 1);
    await site.caughtUp();
    const { pool } = site.foundation.database;
    const copies = `insert into read.booking select (jsonb_populate_record(b, jsonb_build_object('id', 900000 + n))).*
                      from read.booking b, generate_series(1, 1000) n where b.id = $1`;
    await pool.query(copies, [former.id]);
    const ids = (await often.browser.ask(bookingCalls.list)).map(({ id }) => id);
    await pool.query('delete from read.booking where id > 900000');
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([1_000, 900_002, next.id]);
  });

  it('has the same answer from a repeated purchase call as from its own page', async () => {
    const ann = await site.member();
    const alike = async ({ id, quantity, totalAmount, event }: Booking): Promise<Booking> => {
      const again = await ann.browser.post('/api/bookings', { eventId: event.id, quantity, totalAmount });
      const shown = await ann.browser.ask(bookingCalls.read, { params: { id } });
      expect(again).toMatchObject({ status: 200 });
      expect(again.body).toEqual(shown);
      return shown;
    };
    const cancel = ({ id }: Booking) =>
      ann.browser.post('/api/bookings/cancel', { bookingId: id, reason: 'We can not come after all.' });

    const scanned = await bought(site, ann, await listed());
    expect(await alike(scanned)).toMatchObject({ cancellable: true, cancelledAt: null });
    const [encryptedData = ''] = await codesOf(site, scanned.id);
    await staff.browser.ask(ticketCalls.scan, { body: { encryptedData } });
    ann.browser.position = staff.browser.position;
    expect(await alike(scanned)).toMatchObject({ cancellable: false, notCancellable: 'scanned' });

    const refunded = await bought(site, ann, await listed());
    await cancel(refunded);
    await eventually(async () => expect((await alike(refunded)).refundStatus).toBe('completed'));
    expect((await alike(refunded)).cancellationReason).toBe('We can not come after all.');

    const denied = await bought(site, ann, await listed(inTime(12 * HOUR)));
    await cancel(denied);
    await eventually(async () => expect((await alike(denied)).refundStatus).toBe('denied'));
  });

  it('admits with the mailed code after the event was moved to a later day', async () => {
    const ann = await site.member();
    const eventId = await listed(inTime(2 * DAY));
    const { id } = await bought(site, ann, eventId, 1);
    const [mailed = ''] = await codesOf(site, id);
    await edited(eventId, inTime(9 * DAY));
    await eventually(async () => expect(await historyOf(ann, id)).toContain('rescheduled'));
    const later = new Date(Date.now() + 9 * DAY + HOUR);
    vi.useFakeTimers({ now: later, toFake: ['Date'] });
    try {
      const kim = await site.member('staff', 'Kim');
      const scanned = await kim.browser.ask(ticketCalls.scan, { body: { encryptedData: mailed } });
      expect(scanned).toMatchObject({ valid: true, code: null });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('reading calls', () => {
  it('wait for their caller’s own changes, report a timeout, and ignore another log’s token', async () => {
    const ann = await site.member();
    expect(await ann.browser.ask(authCalls.user)).toMatchObject({
      email: ann.email,
    });
    const { id } = site.foundation.log;
    const ahead = { 'x-min-position': `${id}:${'9'.repeat(20)}` };
    const stale = await ann.browser.call('GET', '/api/cities', undefined, ahead);
    expect(stale.headers.get('x-stale')).toBe('true');
    expect(stale.headers.get('x-beyond-end')).toBe('true');
    const other = { 'x-min-position': `another-log:${'9'.repeat(20)}` };
    expect((await ann.browser.get('/api/cities', other)).headers.get('x-stale')).toBeNull();
  });

  it('show changes to other callers, also to those without a position', async () => {
    let fresh = 0;
    await eventually(async () => {
      const name = `Ayr ${randomUUID()}`;
      const body = { name, state: 'Scotland', country: 'United Kingdom' };
      await superuser.browser.ask(adminCityCalls.create, { body });
      const seen = await site.visitor().ask(catalogueCalls.cities);
      fresh = seen.some((city) => city.name === name) ? fresh + 1 : 0;
      // Some would be seen by chance.
      expect(fresh).toBe(5);
    });
  });

  it('recognise a user who has just signed in for the first time, although the read models are behind', async () => {
    const { pool } = site.foundation.database;
    const holder = await pool.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table read.account in exclusive mode');
      const { email, browser } = await site.member();
      // As after a full page load: nothing is remembered of what was seen.
      browser.position = undefined;
      const reading = browser.get('/api/auth/user');
      expect(await Promise.race([reading, pause(300, 'waiting')])).toBe('waiting');
      await holder.query('commit');
      expect(await reading).toMatchObject({ status: 200, body: { email } });
    } finally {
      holder.release(true);
    }
  });

  it('reflect sold and held tickets at once', async () => {
    const ann = await site.member();
    const eventId = await listed({ capacity: 7 });
    const stream = new AbortController();
    const heard: unknown[] = [];
    const url = `${site.origin}/api/sse/events`;
    const reply = await fetch(url, { signal: stream.signal });
    const hearing = (async () => {
      let rest = '';
      for await (const text of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const messages = (rest + text).split('\n\n');
        rest = messages.pop() ?? '';
        for (const message of messages)
          for (const [, data = ''] of message.matchAll(/^data: (.+)$/gm))
            heard.push(liveMessage.parse(JSON.parse(data)));
      }
    })().catch((error: unknown) => {
      if (!stream.signal.aborted) throw error;
    });
    await bought(site, ann, eventId);
    await eventually(async () =>
      expect(heard).toContainEqual(
        expect.objectContaining({ type: 'ticketUpdate', eventId, availableTickets: 5 }),
      ),
    );
    expect(heard[0]).toMatchObject({ type: 'connected' });
    stream.abort();
    await hearing;
  });
});

describe('a deleted account', () => {
  /** The tables that hold a text, in any column. */
  const tablesWith = async (text: string): Promise<string[]> => {
    const { pool } = site.foundation.database;
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await pool.query(
        `select 1 from ${name} as row where strpos(lower(row::text), lower($1)) > 0
            or strpos(lower(row::text), encode(convert_to($1, 'utf8'), 'hex')) > 0 limit 1`,
        [text],
      );
      if (rowCount) found.push(name);
    }
    return found;
  };

  /** Mails are files here. */
  const mailsTo = async (email: string) => {
    const folder = join(site.foundation.config.dataDir, 'outbox');
    const found: string[] = [];
    for (const name of await readdir(folder).catch(() => [])) {
      const text = await readFile(join(folder, name), 'utf8').catch(() => '');
      if (text.includes(email)) found.push(name);
    }
    return found;
  };

  it('had its refund quoted, and leaves no personal data, also after a rebuild', async () => {
    const zed = await site.member('user', 'Zbigniewa');
    const reason = 'Canary words of my own.';
    const eventId = await listed();
    const kept = await bought(site, zed, eventId, 1);
    const left = await bought(site, zed, eventId, 2);
    await zed.browser.post('/api/bookings/cancel', { bookingId: left.id, reason });
    await zed.browser.post('/api/newsletter/subscribe', { email: zed.email, source: 'landing_page' });
    const quote = await zed.browser.ask(profileCalls.deletionQuote);
    expect(quote).toMatchObject({ bookings: [{ id: kept.id, refundAmount: '20.00' }], refundTotal: '20.00' });
    expect(await tablesWith(zed.email)).toContain('read.person');
    await eventually(async () => expect(await mailsTo(zed.email)).not.toEqual([]));
    expect(await zed.browser.call('DELETE', '/api/profile')).toMatchObject({ status: 200 });

    expect(await zed.browser.get('/api/auth/user')).toMatchObject({ status: 401 });
    expect(await mailsTo(zed.email)).toEqual([]);
    // The receipt is for whoever knows its name, and names nobody.
    const { receipt } = quote;
    const told = await site.visitor().ask(profileCalls.erasureReceipt, { params: { receipt } });
    expect(told).toMatchObject({ id: receipt, kept: { bookings: 2 }, files: 'being-cleaned' });
    expect(Date.parse(told.erasedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(told.askedAt));
    expect(JSON.stringify(told)).not.toContain(zed.id);
    const unknown = { receipt: 'E-00000-00000-00000-00000' };
    expect(await site.visitor().send(profileCalls.erasureReceipt, { params: unknown })).toMatchObject({
      status: 404,
    });
    expect(await site.visitor().get('/api/erasures/1')).toMatchObject({ status: 400 });
    const { position = '' } = zed.browser;
    await superuser.browser.get('/api/cities', { 'x-min-position': position });
    for (const text of [zed.email, 'Zbigniewa', reason]) expect(await tablesWith(text)).toEqual([]);
    await eventually(async () => {
      const [newest] = await superuser.browser.ask(refundCalls.list, { query: { limit: 1 } });
      expect(newest).toMatchObject({
        ...{ id: kept.id, refundAmount: '20.00', status: 'completed' },
        ...{ userEmail: null, refundReason: null },
      });
    });
    const { foundation } = site;
    const { log, codec, database } = foundation;
    const comparison = await compareWithRebuild({ pool: database.pool, log, codec, projections });
    expect(comparison).toMatchObject({ equal: true });
    expect(await mailsTo(zed.email)).toEqual([]);
    for (const text of [zed.email, 'Zbigniewa', reason]) expect(await tablesWith(text)).toEqual([]);
  });
});
