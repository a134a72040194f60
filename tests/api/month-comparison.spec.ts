/** What the dashboard compares, on the last days of months and the first: given events before and after them. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { registerAccount } from '#command-api/accounts/registration.ts';
import { systemContext } from '#command-api/commands/command-handler.ts';
import { booking } from '#domain/booking/booking.ts';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let now = new Date().toISOString();
let site: Site;
let superuser: Member;

const on = (at: string) => {
  const clock = () => new Date(at);
  return site.deps.handler.as(systemContext(clock, 'spec'), clock);
};

let bookings = 0;
/** Somebody booked a ticket. @param total in pence; null for an attempt that got none */
const booked = async (at: string, total: number | null) => {
  const bookingId = ++bookings;
  const quote = {
    unitPrice: total ?? 1,
    quantity: 1,
    discount: 0,
    total: total ?? 1,
    currency: 'gbp',
  } as const;
  const facts = {
    ...{ bookingId, reference: `BKMONTH${bookingId}`, userId: randomUUID(), listingId: 1, intentId: null },
    ...{ attempt: randomUUID(), quote: { ...quote, promotion: null }, policy: REFUND_POLICY },
    startsAt: '2056-12-01T19:30:00.000Z',
  };
  await on(at).do(
    booking,
    bookingId,
    total === null
      ? { type: 'PlaceUnfilled', why: 'sold_out', ...facts }
      : { type: 'PlaceBooking', ...facts },
  );
};

let people = 0;
const joined = (at: string) => {
  const named = { email: `month${++people}@people.example`, firstName: 'Mo', lastName: null } as const;
  const rest = {
    profileImageUrl: null,
    role: 'user',
    verified: true,
    via: 'password',
    password: null,
  } as const;
  return registerAccount(site.deps, { ...named, ...rest }, on(at));
};

beforeAll(async () => {
  site = await startSite({ queryClock: () => new Date(now) });
  superuser = await site.member('superuser', 'Sue');
  // Of a year that no run's own accounts are in. February has 28 days. The clocks go forward on 28 March, and back on 31 October.
  await booked('2055-01-31T12:00:00Z', 700);
  await booked('2055-02-01T00:00:00Z', 1_000);
  await booked('2055-02-27T10:00:00Z', 2_000);
  await booked('2055-02-28T23:59:59Z', 4_000);
  await booked('2055-02-28T12:00:00Z', null);
  await booked('2055-03-01T00:00:00Z', 8_000);
  await booked('2055-03-27T09:59:00Z', 16_000);
  // Ten past ten by London's clock, and ten to eleven.
  await booked('2055-03-29T09:10:00Z', 0);
  await booked('2055-03-29T09:50:00Z', 32_000);
  // Half an hour after midnight on 1 April in London.
  await booked('2055-03-31T23:30:00Z', 64_000);
  await joined('2055-02-28T23:00:00Z');
  await joined('2055-03-05T12:00:00Z');
  await joined('2055-03-06T12:00:00Z');
  await site.caughtUp();
});

const comparison = async (at: string) => {
  now = at;
  return (await superuser.browser.ask(overviewCalls.stats)).month;
};

it('an unfinished month is compared with the same part of the month before', async () => {
  expect(await comparison('2055-03-27T09:59:30Z')).toEqual({
    ...{ by: '2055-02-27', whole: false },
    joined: { now: 2, before: null },
    booked: { now: 5, before: 1 },
    taken: { now: '1200.00', before: '10.00' },
  });
});

it('a month is compared with nothing if there was nothing before', async () => {
  expect(await comparison('2055-02-27T10:00:00Z')).toMatchObject({
    by: '2055-01-27',
    joined: { now: 3, before: null },
    booked: { now: 8, before: null },
    taken: { now: '1270.00', before: null },
  });
});

it.each([
  ['29', '2055-03-29T09:30:00Z'],
  ['31', '2055-03-31T12:00:00Z'],
])('the %s March is compared with the whole of February', async (_, at) => {
  expect(await comparison(at)).toMatchObject({
    ...{ by: '2055-02-28', whole: true },
    booked: { before: 3 },
    taken: { before: '70.00' },
    joined: { before: 1 },
  });
});

it('a month’s hours follow London’s clock, also across a clock change', async () => {
  // 29 April, half past ten: in March, too, the clocks were an hour ahead by then.
  expect(await comparison('2055-04-29T09:30:00Z')).toMatchObject({
    ...{ by: '2055-03-29', whole: false },
    booked: { now: 1, before: 3 },
    taken: { now: '640.00', before: '240.00' },
    joined: { now: 0, before: 2 },
  });
  expect((await comparison('2055-04-29T09:51:00Z'))?.booked.before).toBe(4);
  // 27 April, 10:30: on 27 March it was still winter, and 9:59 is before it; a quarter to ten isn't.
  expect((await comparison('2055-04-27T09:30:00Z'))?.booked.before).toBe(2);
  expect((await comparison('2055-04-27T08:45:00Z'))?.booked.before).toBe(1);
  // What was booked half an hour after London's midnight is April's.
  expect((await comparison('2055-04-30T12:00:00Z'))?.booked).toEqual({ now: 1, before: 4 });
  expect((await comparison('2055-05-31T12:00:00Z'))?.booked).toEqual({ now: 0, before: 1 });
});
