/** The past, rehearsed for superusers in a sandbox: nothing of the site changes. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditCalls } from '#domain/contracts/audit.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { doorNews, MOST_REHEARSALS, rehearsalCalls, saleNews } from '#domain/contracts/rehearsal.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { toPosition } from '#infra/event-log/batch.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { START } from '#infra/event-log/event-log.ts';
import { MIN_POSITION_HEADER, STALE_HEADER } from '#infra/http/position.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, codesOf, type Hall, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let hall: Hall;
/** Its capacity was changed ten times, an hour apart: each makes a rehearsal wait as long as it ever does. */
let slow: number;
/** Five tickets: two are bought, two more are bought and cancelled, and two too many are asked for. */
let concert: number;
let booked: number;

const everything = async () =>
  (await Array.fromAsync(site.foundation.log.readAll(START))).flatMap(({ events }) => events);

const lines = async (call: typeof rehearsalCalls.sale | typeof rehearsalCalls.door, query: object) => {
  const { status, body } = await superuser.browser.send(call, { query });
  expect(status, String(body)).toBe(200);
  return String(body)
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
};
const sale = async (query: object = {}) =>
  saleNews.parse((await lines(rehearsalCalls.sale, { listing: concert, ...query })).at(-1));
const door = async (query: object = {}) =>
  doorNews.parse((await lines(rehearsalCalls.door, { listing: concert, ...query })).at(-1));

/** Begins a rehearsal that goes on for half a minute. */
const begin = (who: Member, left?: AbortSignal, headers: Readonly<Record<string, string>> = {}) =>
  fetch(site.origin + slowly(), {
    headers: { ...headers, cookie: cookieOf(who) },
    ...(left && { signal: left }),
  });
const slowly = () => `${rehearsalCalls.sale.path}?listing=${slow}&pace=20`;
const cookieOf = (who: Member) =>
  [...who.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Asks for such a rehearsal and hangs up at once. */
const hangUp = async (who: Member, position: string): Promise<void> => {
  const { host, hostname, port } = new URL(site.origin);
  const socket = connect(Number(port), hostname);
  socket.end(
    `GET ${slowly()} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookieOf(who)}\r\n${MIN_POSITION_HEADER}: ${position}\r\n\r\n`,
  );
  socket.resume();
  await once(socket, 'close');
};

beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser');
  hall = await openHall(site);
  concert = await hall.listed({ ...inTime(2 * HOUR), capacity: 5 });
  const [ann, bea, cay] = [await site.member(), await site.member(), await site.member()];
  ({ id: booked } = await bought(site, ann, concert, 2));
  const { id: bookingId } = await bought(site, bea, concert, 2);
  const order = { eventId: concert, quantity: 2, amount: '40.00' };
  expect((await cay.browser.send(paymentCalls.createIntent, { body: order })).status).toBe(409);
  await bea.browser.ask(bookingCalls.cancel, { body: { bookingId, reason: 'We are unwell, all of us.' } });
  const staff = await site.member('staff');
  const [code = ''] = await codesOf(site, booked);
  for (const _ of ['in', 'again'])
    await staff.browser.send(ticketCalls.scan, { body: { encryptedData: code, gate: 'North' } });
  superuser.browser.position = staff.browser.position;
  // That no money goes back so late is decided in the background: it changes rows, and mails its customer.
  await eventually(async () =>
    expect((await everything()).map(({ type }) => type)).toContain('RefundDenied'),
  );
  slow = await hall.listed();
  for (let hours = 1; hours <= 10; hours++) {
    const at = new Date(Date.now() + hours * HOUR).toISOString();
    const acting = site.deps.lane.as({ ...site.acting().context, commandId: randomUUID(), at });
    await acting.do(inventory, slow, { type: 'ChangeCapacity', capacity: 50 + hours });
  }
  await eventually(async () => {
    const query = { stream: `inventory-${slow}` };
    expect(await superuser.browser.ask(auditCalls.list, { query })).toHaveLength(11);
  });
});

describe('a sale', () => {
  it('with nothing changed ends as it did', async () => {
    const { was, would, done, played, of, cut } = await sale();
    expect(was).toMatchObject({
      ...{ capacity: 5, sold: 2, bookings: 2, takings: '80.00', paidBack: '0.00' },
      ...{ soldOut: 1, otherwise: 0, lapsed: 0, mostHeld: 2, soldOutAt: null },
    });
    expect(would).toEqual(was);
    expect({ done, cut, left: of - played }).toEqual({ done: true, cut: false, left: 0 });
  });

  it('is played with another capacity, price and hold', async () => {
    expect((await sale({ capacity: 6 })).would).toMatchObject({ bookings: 3, soldOut: 0, takings: '120.00' });
    expect((await sale({ capacity: 3 })).would).toMatchObject({ bookings: 1, takings: '40.00' });
    expect((await sale({ price: '12.50' })).would).toMatchObject({ bookings: 2, takings: '50.00' });
    expect((await sale({ hold: 30 })).would).toMatchObject({ bookings: 2, sold: 2 });
  });

  it('is played at a pace, and tells how far it is', async () => {
    const { done, played, of, span } = await sale({ pace: 20 });
    expect({ done, left: of - played }).toEqual({ done: true, left: 0 });
    expect(span).not.toBeNull();
  });
});

describe('an evening at the door', () => {
  it('with nothing changed ends as it did, with its gates', async () => {
    const { was, would } = await door();
    expect(was).toMatchObject({
      ...{ scans: 2, admitted: 2, conflicts: 0, refused: { TICKET_USED: 1 } },
      gates: [{ gate: 'North', scans: 2, queue: null }],
    });
    expect(would).toEqual(was);
  });

  it('says how long the queue would have been', async () => {
    const { gates } = (await door({ takes: 60, connected: 'true' })).would;
    expect(gates[0]?.queue?.longest).toBe(1);
  });
});

describe('a rehearsal', () => {
  it('changes nothing, and leaves one LogRead', async () => {
    // Work in the background may append meanwhile: what counts is what the superuser's question brings about.
    const hers = async () => (await everything()).filter(({ meta }) => meta.includes(superuser.id));
    const head = (await hers()).length;
    const rows = async () => {
      const { rows: found } = await site.foundation.database.pool.query(
        `SELECT (SELECT count(*) FROM app.outbox)::int AS mails,
          (SELECT json_agg(i ORDER BY i.listing_id) FROM read.inventory i) AS inventory,
          (SELECT json_agg(b ORDER BY b.id) FROM read.booking b) AS bookings`,
      );
      return found;
    };
    const before = await rows();
    await sale({ capacity: 2, price: '99.00', hold: 1 });
    await door({ takes: 30 });
    expect(await rows()).toEqual(before);
    const news = (await hers()).slice(head);
    expect(news.map(({ type }) => type)).toEqual(['LogRead', 'LogRead']);
    expect(news.every(({ data }) => data.includes(`"stream":"inventory-${concert}"`))).toBe(true);
    expect((await site.deps.lane.state(listing, concert)).state.details?.price).toBe(2000);
  });

  it('is refused with bad input, and for a listing that is none', async () => {
    const ask = async (query: object) =>
      (await superuser.browser.send(rehearsalCalls.sale, { query: { listing: concert, ...query } })).status;
    for (const query of [
      ...[{ listing: 'x' }, { pace: 0 }, { pace: 21 }, { pace: 1.5 }, { capacity: 0 }, { hold: 61 }],
      ...[{ price: '-1' }, { price: '1.234' }],
    ])
      expect(await ask(query), JSON.stringify(query)).toBe(400);
    expect(await ask({ listing: 99_999 })).toBe(404);
    const query = { listing: 99_999 };
    expect((await superuser.browser.send(rehearsalCalls.door, { query })).status).toBe(404);
    const other = await site.member('admin');
    const asked = await other.browser.send(rehearsalCalls.sale, { query: { listing: concert } });
    expect(asked.status).toBe(403);
  });

  it('is one of a few at once, and ends when its superuser leaves', async () => {
    const leaving = new AbortController();
    const running = await Promise.all(
      Array.from({ length: MOST_REHEARSALS }, () => begin(superuser, leaving.signal)),
    );
    expect(running.map(({ status }) => status)).toEqual(running.map(() => 200));
    expect((await begin(superuser, leaving.signal)).status).toBe(409);
    leaving.abort();
    await eventually(async () => {
      const again = await begin(superuser, AbortSignal.timeout(60_000));
      expect(again.status).toBe(200);
      await again.body?.cancel();
    });
  });

  it('takes no place for somebody who left while the read models were waited for', async () => {
    const never = toToken(site.foundation.log.id, toPosition(1_000_000));
    await Promise.all(Array.from({ length: MOST_REHEARSALS }, () => hangUp(superuser, never)));
    // It waits for as long as those who left, and so begins after them.
    const after = await begin(superuser, undefined, { [MIN_POSITION_HEADER]: never });
    expect([after.status, after.headers.get(STALE_HEADER)]).toEqual([200, 'true']);
    await after.body?.cancel();
  });

  it('ends with the session that asked for it', async () => {
    const other = await site.member('superuser');
    const running = await eventually(async () => {
      const begun = await begin(other);
      expect(begun.status).toBe(200);
      return begun;
    });
    await other.browser.ask(authCalls.logout, {});
    expect(await running.text()).not.toContain('"done":true');
  });
});
