/** Disputes of payments by card, from the provider's webhook to the superusers' screens. */
import { beforeAll, expect, it } from 'vitest';
import { adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import { disputeCalls } from '#domain/contracts/admin-disputes.ts';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { replayCalls } from '#domain/contracts/replay.ts';
import { ticketCalls, ticketTokenOf } from '#domain/contracts/tickets.ts';
import { dispute } from '#domain/dispute/dispute.ts';
import { SANDBOX_PATH } from '#infra/payments/sandbox/plugin.ts';
import { CARDS } from '#tests/kit/card.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { codesOf, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let buyer: Member;
let eventId: number;
beforeAll(async () => {
  site = await startSite();
  const { listed } = await openHall(site);
  // Within a day of the start: the rule denies a refund, and a superuser may think otherwise.
  eventId = await listed(inTime(12 * HOUR));
  superuser = await site.member('superuser', 'Sue');
  buyer = await site.member();
});

const disputes = (query = {}) => superuser.browser.ask(disputeCalls.list, { query });
/** Answers a dispute at the provider. */
const answer = (id: string, evidence: string) =>
  fetch(`${site.origin}${SANDBOX_PATH}/v1/disputes/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.sandbox.secretKey}` },
    body: new URLSearchParams({ 'evidence[uncategorized_text]': evidence }),
  });

/** Buys with a card whose holder disputes the payment at once. Resolves to the booking and the dispute. */
const disputed = async () => {
  const order = { eventId, quantity: 1 };
  const { browser } = buyer;
  const intent = await browser.ask(paymentCalls.createIntent, { body: { ...order, amount: '20.00' } });
  await site.pay(intent, CARDS.disputed);
  const { id } = await browser.ask(bookingCalls.create, { body: { ...order, totalAmount: '20.00' } });
  const found = await eventually(async () => {
    const dispute = (await disputes()).find(({ bookingId }) => bookingId === id);
    expect(dispute).toMatchObject({ bookingReference: expect.stringMatching(/^BK/) });
    return dispute;
  });
  return { id, disputeId: found?.id ?? '' };
};

it('disputes are shown with their booking, customer and amount', async () => {
  const { id } = await disputed();
  expect(await disputes({ status: 'open', search: buyer.email })).toMatchObject([
    {
      bookingId: id,
      userEmail: buyer.email,
      eventTitle: 'Paper Moons',
      amount: '20.00',
      reason: 'fraudulent',
      status: 'open',
      dueBy: expect.stringMatching(/Z$/),
      closedAt: null,
    },
  ]);
  expect(await disputes({ status: 'lost' })).toEqual([]);
});

it('disputes are marked if they are inquiries', async () => {
  const { id, disputeId } = await disputed();
  const shown = async () => (await disputes()).find((one) => one.id === disputeId);
  expect(await shown()).toMatchObject({ status: 'open', inquiry: false });
  const facts = { bookingId: id, userId: buyer.id, listingId: eventId, intentId: 'pi_1' };
  const rest = { amount: 2_000, reason: 'fraudulent', dueBy: null, openedAt: new Date().toISOString() };
  const asked = {
    type: 'RecordDispute',
    status: 'inquiry',
    disputeId: 'dp_asked',
    ...facts,
    ...rest,
  } as const;
  await site.acting().do(dispute, id, asked);
  await answer(disputeId, 'winning_evidence');
  await eventually(async () => {
    expect((await disputes()).find((one) => one.id === 'dp_asked')).toMatchObject({ inquiry: true });
    expect(await buyer.browser.ask(bookingCalls.read, { params: { id } })).toMatchObject({ dispute: 'won' });
  });
});

it('disputes are part of their booking’s story', async () => {
  const { id } = await disputed();
  const query = { stream: `booking-${id}`, story: 'true' } as const;
  const story = await superuser.browser.ask(replayCalls.steps, { query });
  expect(story.map(({ type }) => type)).toContain('DisputeOpened');
});

it('disputes block refunds of the same payment until they are won', async () => {
  const { id, disputeId } = await disputed();
  await buyer.browser.ask(bookingCalls.cancel, { body: { bookingId: id, reason: 'I have fallen ill.' } });
  const refund = async () =>
    (await superuser.browser.ask(refundCalls.list, { query: {} })).find((one) => one.id === id);
  await eventually(async () => expect(await refund()).toMatchObject({ status: 'denied', dispute: 'open' }));
  const approve = () =>
    superuser.browser.send(refundCalls.process, { params: { id }, body: { approved: true } });
  expect(await approve()).toMatchObject({ status: 409, body: { code: 'REFUND_DISPUTED' } });

  await answer(disputeId, 'losing_evidence');
  await eventually(async () => expect(await refund()).toMatchObject({ dispute: 'lost' }));
  expect(await approve()).toMatchObject({ status: 409, body: { code: 'REFUND_DISPUTED' } });

  await answer(disputeId, 'winning_evidence');
  await eventually(async () => expect(await refund()).toMatchObject({ dispute: 'won' }));
  expect(await approve()).toMatchObject({ status: 200, body: { refund: { dispute: 'won' } } });
  await eventually(async () => expect(await refund()).toMatchObject({ status: 'completed' }));
});

it('a lost dispute is taken out of the revenue once, also if the payment was refunded', async () => {
  const revenue = async () => Number((await superuser.browser.ask(overviewCalls.stats)).bookings.revenue);
  const before = await revenue();
  const [{ disputeId }, other] = [await disputed(), await disputed()];
  await eventually(async () => expect(await revenue()).toBe(before + 40));
  await answer(disputeId, 'losing_evidence');
  await eventually(async () => expect(await revenue()).toBe(before + 20));
  await answer(other.disputeId, 'winning_evidence');
  await eventually(async () => expect((await disputes({ status: 'won' }))[0]?.id).toBe(other.disputeId));
  await buyer.browser.ask(bookingCalls.cancel, {
    body: { bookingId: other.id, reason: 'I have fallen ill.' },
  });
  const approve = { params: { id: other.id }, body: { approved: true } };
  await eventually(async () =>
    expect(await superuser.browser.send(refundCalls.process, approve)).toMatchObject({ status: 200 }),
  );
  await eventually(async () => expect(await revenue()).toBe(before));
  // The bank thinks again, after the money went back.
  await answer(other.disputeId, 'losing_evidence');
  await eventually(async () =>
    expect((await disputes({ status: 'lost' })).map((one) => one.id)).toContain(other.disputeId),
  );
  expect(await revenue()).toBe(before);
});

it('disputes suspend the ticket at the door, online and offline, until they are won', async () => {
  const { id, disputeId } = await disputed();
  const [link = ''] = await codesOf(site, id);
  const staff = await site.member('staff', 'Kim');
  const at = (asked: object = {}) =>
    staff.browser.ask(ticketCalls.scan, { body: { encryptedData: link, ...asked } });
  const stands = async () => {
    const [day, guests, booked, shown, { standing, message }, counts] = await Promise.all([
      staff.browser.ask(ticketCalls.day, { query: { eventId } }),
      staff.browser.ask(ticketCalls.guests, { query: { search: 'Ashby', eventId } }),
      buyer.browser.ask(bookingCalls.read, { params: { id } }),
      superuser.browser.ask(adminBookingCalls.list, { query: { search: buyer.email } }),
      buyer.browser.ask(ticketCalls.verify, { params: { token: ticketTokenOf(link) } }),
      staff.browser.ask(ticketCalls.counts, { query: { eventId } }),
    ]);
    return {
      offline: day.events[0]?.disputed.includes(id),
      guest: guests.find(({ bookingId }) => bookingId === id)?.disputed,
      ...{ own: booked.dispute, admin: shown.find((one) => one.id === id)?.dispute, standing, message },
      expected: counts.expected,
    };
  };
  const out = { offline: true, guest: true, standing: 'disputed' };
  const open = await eventually(async () => {
    const now = await stands();
    expect(now).toMatchObject({ ...out, own: 'open', admin: 'open' });
    return now;
  });
  const refused = { valid: false, code: 'TICKET_DISPUTED', error: open?.message };
  expect(await at()).toMatchObject(refused);
  expect(await staff.browser.ask(ticketCalls.admit, { body: { bookingId: id, eventId } })).toMatchObject(
    refused,
  );
  const [letIn] = await staff.browser.ask(ticketCalls.offlineScans, {
    body: { scans: [{ encryptedData: link, scanId: crypto.randomUUID(), ago: 0, admitted: 1 }] },
  });
  expect(letIn?.outcome).toBe('conflict');

  await answer(disputeId, 'losing_evidence');
  await eventually(async () => expect(await stands()).toMatchObject({ ...out, own: 'lost', admin: 'lost' }));
  expect(await at()).toMatchObject(refused);

  await answer(disputeId, 'winning_evidence');
  await eventually(async () =>
    expect(await stands()).toMatchObject({
      ...{ offline: false, guest: false, standing: 'good', own: 'won', admin: 'won' },
      expected: (open?.expected ?? 0) + 1,
    }),
  );
  expect(await at()).toMatchObject({ valid: true });
});
