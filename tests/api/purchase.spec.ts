/** The purchase over HTTP, on PostgreSQL and the payment sandbox: one whole command service with its background work. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ErasureDeps, eraseAccount } from '#command-api/accounts/erasure.ts';
import { registerAccount } from '#command-api/accounts/registration.ts';
import { runProcess } from '#command-api/commands/run-process.ts';
import { deleteListing } from '#command-api/purchase/delete-listing.ts';
import { endPurchases } from '#command-api/purchase/end-purchases.ts';
import { account } from '#domain/account/account.ts';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { reinstatement } from '#domain/processes/reinstatement.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { refund } from '#domain/refund/refund.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import type { SessionFacts } from '#infra/http/sessions.ts';
import { signatureOf } from '#infra/payments/sandbox/webhooks.ts';
import { CARDS } from '#tests/kit/card.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { putOnSale } from '#tests/kit/listing-on-sale.ts';
import { memoryGateway } from '#tests/kit/memory-gateway.ts';
import { DAY } from '#tests/kit/programme.ts';
import { type Site, startSite } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

const PRICE = 2_850;
const CODE = 'AUTUMN';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});

let listings = 500;
/** A listing on sale. `startsIn`: milliseconds from now. */
const onSale = async ({ capacity = 20, startsIn = 30 * DAY, minimumAge = 0 } = {}): Promise<number> => {
  const listingId = ++listings;
  const start = new Date(Date.now() + startsIn);
  const [date = '', time = ''] = start.toISOString().split(/[T.]/);
  const clockAt = { date, time: time.slice(0, 5), zone: 'UTC' };
  await putOnSale({ listingId, price: PRICE, capacity, minimumAge, start: clockAt }, site.acting());
  return listingId;
};

/** Somebody signed in, of whom the log knows nothing. They may buy unless told otherwise. */
class Buyer {
  readonly id = randomUUID();
  readonly #browser: Promise<Visitor>;

  constructor(facts: Partial<SessionFacts> = {}) {
    const mayBuy = { role: 'user', emailVerified: true, profileComplete: true } as const;
    this.#browser = site.signedIn({ accountId: this.id, ...mayBuy, ...facts });
  }

  async post(path: string, body: object, headers: Record<string, string> = {}) {
    return (await this.#browser).post(path, body, headers);
  }

  intent(eventId: number, more: object = {}, headers: Record<string, string> = {}) {
    const body = { eventId, quantity: 2, amount: '57.00', ...more };
    return this.post('/api/create-payment-intent', body, headers);
  }

  book(eventId: number, more: object = {}, headers: Record<string, string> = {}) {
    return this.post('/api/bookings', { eventId, quantity: 2, totalAmount: '57.00', ...more }, headers);
  }
}

const stateOf = {
  booking: async (id: number) => (await site.deps.handler.state(booking, id)).state,
  refund: async (id: number) => (await site.deps.handler.state(refund, id)).state,
  tickets: async (id: number) => (await site.deps.handler.state(inventory, id)).state,
  attempt: async (buyer: Buyer, listingId: number) => {
    const { state } = await site.deps.handler.state(checkout, checkoutId(buyer.id, listingId));
    return state.attempts.get(state.current ?? '');
  },
};
/** The position at which a booking can be read. */
const positionOf = async (bookingId: number): Promise<string> => {
  const { position } = await site.deps.handler.state(booking, bookingId);
  return toToken(site.foundation.log.id, position);
};
const mailsTo = async (accountId: string): Promise<string[]> => {
  const { rows } = await site.foundation.database.pool.query<{ kind: string }>(
    'select kind from app.outbox where account_id = $1 order by id',
    [accountId],
  );
  return rows.map(({ kind }) => kind);
};
/** What a stream's events say of who, why and when, by their types; the last of each. */
const metaOf = async (stream: string): Promise<Map<string, Context>> => {
  const records = await Array.fromAsync(site.foundation.log.readStream(stream));
  return new Map(records.map(({ type, meta }) => [type, JSON.parse(meta)]));
};
/**
 * Books what is paid, which is answered as new where this very call made the booking. On a busy machine the webhook's
 * job or the reconciler may have been first.
 */
const books = async (buyer: Buyer, listingId: number) => {
  const reply = await buyer.book(listingId);
  const placed = (await metaOf(`booking-${reply.body.id}`)).get('BookingPlaced');
  expect(reply.status).toBe(placed?.actor.id === buyer.id ? 201 : 200);
  return reply;
};
/** Buys two tickets. Resolves to the booking as it was answered. */
const bought = async (buyer: Buyer, listingId: number, card = CARDS.pays) => {
  const { body } = await buyer.intent(listingId);
  expect((await site.pay(body, card)).body.status).toBe('succeeded');
  const reply = await books(buyer, listingId);
  return reply.body as { id: number; reference: string };
};

// Each buys on its own: most of their time is waiting for what works in the background.
describe('buying', { concurrent: true }, () => {
  it('requires the minimum age on the day of the event, and explains a refusal', async () => {
    const id = await onSale({ minimumAge: 18 });
    const { schedule } = (await site.deps.handler.state(listing, id)).state;
    const day = new Date(`${schedule?.date}T00:00:00Z`);
    const born = async (daysLater: number) => {
      const person = await site.member();
      const birth = new Date(
        Date.UTC(day.getUTCFullYear() - 18, day.getUTCMonth(), day.getUTCDate() + daysLater),
      );
      const profile = { dateOfBirth: birth.toISOString().slice(0, 10), favoriteCategories: [] };
      const at = new Date().toISOString();
      await site.acting().do(account, person.id, { type: 'CompleteProfile', ...profile, at });
      return person.browser.post('/api/create-payment-intent', { eventId: id, quantity: 2, amount: '57.00' });
    };
    expect(await born(1)).toMatchObject({
      status: 403,
      body: { code: 'TOO_YOUNG', minimumAge: 18, message: expect.stringContaining('aged 18 and over') },
    });
    expect(await new Buyer().intent(id)).toMatchObject({ status: 403, body: { code: 'PROFILE_INCOMPLETE' } });
    expect((await stateOf.tickets(id)).held).toBe(0);
    expect(await born(0)).toMatchObject({ status: 200 });
  });

  it('holds tickets, takes the payment and answers with the booking', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const { status, body, headers } = await buyer.intent(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      clientSecret: expect.stringContaining('_secret_'),
      amount: '57.00',
      currency: 'gbp',
      quote: { unitPrice: '28.50', quantity: 2, discount: '0.00', total: '57.00', promoCode: null },
    });
    expect(headers.get('x-log-position')).toMatch(`${site.foundation.log.id}:`);
    expect(await stateOf.tickets(id)).toMatchObject({ held: 2, sold: 0 });
    expect((await buyer.book(id)).body).toMatchObject({ code: 'PAYMENT_INCOMPLETE' });
    expect((await site.pay(body)).body.status).toBe('succeeded');
    const booked = await books(buyer, id);
    expect(booked.headers.get('x-log-position')).toMatch(`${site.foundation.log.id}:`);
    expect(booked.body).toMatchObject({
      status: 'confirmed',
      reference: expect.stringMatching(/^BK\w{8}$/),
      quantity: 2,
      totalAmount: '57.00',
      event: { id, title: 'The Long Night' },
      cancellable: true,
      refundPercent: 100,
      refundQuote: '57.00',
    });
    const again = await buyer.book(id);
    expect(again).toMatchObject({ status: 200, body: booked.body });
    expect(await stateOf.tickets(id)).toMatchObject({ held: 0, sold: 2 });
    await eventually(async () => expect(await mailsTo(buyer.id)).toEqual(['booking-confirmation']));
  });

  it('allows another card after a declined one', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const { body } = await buyer.intent(id);
    expect(await site.pay(body, CARDS.poor)).toMatchObject({
      status: 402,
      body: { error: { message: 'Your card has insufficient funds.' } },
    });
    expect((await buyer.book(id)).body).toMatchObject({ code: 'PAYMENT_INCOMPLETE' });
    await site.pay(body);
    expect((await books(buyer, id)).body).toMatchObject({ status: 'confirmed' });
  });

  it('books for buyers who close the browser after paying', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const { body } = await buyer.intent(id);
    await site.pay(body);
    await eventually(async () => expect(await stateOf.tickets(id)).toMatchObject({ sold: 2 }));
    const attempt = await stateOf.attempt(buyer, id);
    await eventually(async () =>
      expect(await stateOf.booking(attempt?.bookingId ?? 0)).toMatchObject({ status: 'confirmed' }),
    );
  });

  it('requires a verified address and a complete profile', async () => {
    const id = await onSale();
    const unverified = new Buyer({ emailVerified: false });
    // A refusal rests on the account itself, which is still nobody's here: the profile is asked for first.
    expect(await unverified.intent(id)).toMatchObject({ status: 403, body: { code: 'PROFILE_INCOMPLETE' } });
    const registered = {
      type: 'Register',
      accountId: unverified.id,
      email: 'ann@example.com',
      firstName: 'Ann',
      lastName: null,
      profileImageUrl: null,
      via: 'password',
      role: 'user',
      verified: false,
    } as const;
    const at = new Date().toISOString();
    const complete = {
      type: 'CompleteProfile',
      dateOfBirth: '1990-02-03',
      favoriteCategories: [],
      at,
    } as const;
    await site.acting().do(account, unverified.id, registered);
    await site.acting().do(account, unverified.id, complete);
    expect(await unverified.intent(id)).toMatchObject({
      status: 403,
      body: {
        code: 'EMAIL_UNVERIFIED',
        message: 'Email verification required',
        requiresEmailVerification: true,
      },
    });
  });

  it('uses the server’s price', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    expect(await buyer.intent(id, { amount: 57 })).toMatchObject({ status: 200 });
    expect(await buyer.intent(id, { amount: '1.00' })).toMatchObject({
      status: 409,
      body: { code: 'PRICE_CHANGED', amount: '57.00' },
    });
    expect(await buyer.intent(999_999)).toMatchObject({ status: 404, body: { code: 'LISTING_NOT_FOUND' } });
    expect(await buyer.intent(id, { quantity: 11 })).toMatchObject({ status: 400 });
    expect(await buyer.book(await onSale())).toMatchObject({
      status: 404,
      body: { code: 'CHECKOUT_NOT_FOUND' },
    });
  });

  it('needs no payment with a code for the whole price', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const { handler } = site.deps;
    const terms = {
      name: 'All of it',
      description: '',
      discountType: 'percentage',
      discountValue: 100,
      usageLimit: 1,
      validFrom: new Date(Date.now() - DAY).toISOString(),
      validUntil: new Date(Date.now() + DAY).toISOString(),
      isActive: true,
    } as const;
    await site.acting().do(promoCode, CODE, { type: 'TakeCode', promotionId: 77 });
    await site.acting().do(promotion, 77, { type: 'CreatePromotion', promotionId: 77, code: CODE, terms });
    const opened = await buyer.intent(id, { amount: '0.00', promoCode: 'autumn' });
    expect(opened).toMatchObject({
      status: 200,
      body: { clientSecret: null, amount: '0.00', quote: { discount: '57.00', promoCode: CODE } },
    });
    const check = { code: CODE, eventId: id, totalAmount: '57.00' };
    const other = new Buyer();
    // Its one use is theirs who are paying with it, and nobody else's.
    expect((await buyer.post('/api/validate-promotion', check)).body).toMatchObject({ valid: true });
    expect((await other.post('/api/validate-promotion', check)).body).toMatchObject({ valid: false });
    const booked = await buyer.book(id, { totalAmount: '0.00', promoCode: CODE });
    expect(booked).toMatchObject({ status: 201, body: { totalAmount: '0.00', promoCode: CODE } });
    await eventually(async () => {
      const { state } = await handler.state(promotion, 77);
      expect(state.redeemed.size).toBe(1);
    });
    expect(await other.intent(id, { amount: '0.00', promoCode: CODE })).toMatchObject({
      status: 409,
      body: { code: 'PROMO_USED_UP' },
    });
    const cancel = { bookingId: booked.body.id, reason: 'Somebody else is ill.' };
    expect((await buyer.post('/api/bookings/cancel', cancel)).body).toMatchObject({
      message: 'Your booking is cancelled. It was free, so there is nothing to pay back.',
      refundApproved: false,
      refundAmount: '0.00',
    });
  });

  it('cancels the old intent after a new price', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const first = (await buyer.intent(id)).body;
    const second = (await buyer.intent(id, { quantity: 3, amount: '85.50' })).body;
    expect(second.paymentIntentId).not.toBe(first.paymentIntentId);
    expect((await site.pay(first)).body.error).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(await stateOf.tickets(id)).toMatchObject({ held: 3 });
    expect((await buyer.intent(id, { quantity: 3, amount: '85.50' })).body).toEqual(second);
  });

  it('reports an earlier payment instead of charging twice', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    await site.pay((await buyer.intent(id)).body);
    // The webhook's job may have been first: then this is the start of another purchase.
    const { status, body, headers } = await buyer.intent(id, { quantity: 3, amount: '85.50' });
    expect([200, 409]).toContain(status);
    // What was booked meanwhile is to be seen by whoever looks next.
    expect(headers.get('x-log-position')).toMatch(`${site.foundation.log.id}:`);
    if (status === 409) expect(body).toMatchObject({ code: 'ALREADY_PAID' });
    await eventually(async () => expect(await stateOf.tickets(id)).toMatchObject({ sold: 2 }));
  });

  it('reports a recent booking on any device before another purchase', async () => {
    const buyer = new Buyer();
    const id = await onSale({ capacity: 4 });
    const { id: bookingId } = await bought(buyer, id);
    for (const device of [buyer, new Buyer({ accountId: buyer.id })]) {
      const told = await device.intent(id, { lastBookingId: null });
      expect(told).toMatchObject({ status: 409, body: { code: 'JUST_BOUGHT', bookingId } });
      // Whoever reads at once finds the booking.
      const seen = told.headers.get('x-log-position') ?? '';
      expect(seen >= (await positionOf(bookingId)), seen).toBe(true);
    }
    expect(await stateOf.tickets(id)).toMatchObject({ held: 0 });
    const again = await buyer.intent(id, { lastBookingId: bookingId });
    expect(again).toMatchObject({ status: 200, body: { quote: { quantity: 2 } } });
    await site.pay(again.body);
    const second = (await books(buyer, id)).body.id;
    // The last tickets are theirs, so that there are none to hold.
    expect(await buyer.intent(id, { lastBookingId: bookingId })).toMatchObject({
      body: { code: 'JUST_BOUGHT', bookingId: second },
    });
    expect((await buyer.intent(id, { lastBookingId: second })).body).toMatchObject({ code: 'SOLD_OUT' });
  });

  it('reports an unanswered payment at the buyer’s next request, whatever it is', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    await site.pay((await buyer.intent(id, { lastBookingId: null })).body);
    const { status, body, headers } = await buyer.intent(id, {
      quantity: 3,
      amount: '85.50',
      lastBookingId: null,
    });
    // The webhook's job may have been first.
    expect(status).toBe(409);
    expect(['ALREADY_PAID', 'JUST_BOUGHT']).toContain(body.code);
    const seen = headers.get('x-log-position') ?? '';
    expect(seen >= (await positionOf(body.bookingId)), seen).toBe(true);
    expect(await stateOf.tickets(id)).toMatchObject({ held: 0, sold: 2 });
  });

  it('skips the comparison for callers that do not send their last booking', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    await bought(buyer, id);
    expect((await buyer.intent(id)).status).toBe(200);
  });

  it('never sells more than there is', async () => {
    const id = await onSale({ capacity: 4 });
    const buyers = await Array.from({ length: 6 }, () => new Buyer());
    const replies = await Promise.all(buyers.map((buyer) => buyer.intent(id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'SOLD_OUT' });
    expect(await stateOf.tickets(id)).toMatchObject({ held: 4, capacity: 4 });
  });

  it('answers a repeated key alike, and refuses the key for another request', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await buyer.intent(id, {}, key), await buyer.intent(id, {}, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('x-log-position')).toBe(first.headers.get('x-log-position'));
    expect(await buyer.intent(id, { quantity: 1, amount: '28.50' }, key)).toMatchObject({
      status: 422,
      body: { code: 'KEY_REUSED' },
    });
    await site.pay(first.body);
    const booking = { 'idempotency-key': randomUUID() };
    const booked = [await buyer.book(id, {}, booking), await buyer.book(id, {}, booking)];
    expect(booked[1]).toMatchObject({ status: booked[0]?.status, body: booked[0]?.body });
  });
});

describe('readiness', () => {
  it('is degraded while the payment provider is down', async () => {
    const payments = site.commands.checks.find(({ name }) => name === 'payments');
    expect(payments).toMatchObject({ needed: false });
    await eventually(async () => expect(await payments?.probe()).toBeUndefined());
    const home = site.origin;
    // Nobody listens there.
    site.origin = 'http://127.0.0.1:9';
    try {
      await eventually(() => expect(payments?.probe()).rejects.toThrow(/^no answer \d+ times: /));
    } finally {
      site.origin = home;
    }
    await eventually(async () => expect(await payments?.probe()).toBeUndefined());
  });

  it('is degraded when mails wait for long', async () => {
    const mail = site.commands.checks.find(({ name }) => name === 'mail');
    expect(mail).toMatchObject({ needed: false });
    await eventually(async () => expect(await mail?.probe()).toBeUndefined());
    const { pool } = site.foundation.database;
    await pool.query(
      `insert into app.outbox (key, kind, account_id, created_at, due_at)
       values ('stuck', 'verify-email', 'nobody', now() - interval '12 minutes', now() + interval '1 hour')`,
    );
    await expect(mail?.probe()).rejects.toThrow('a mail has waited for 12 minutes');
    await pool.query(`delete from app.outbox where key = 'stuck'`);
  });
});

describe('the provider’s webhook', { concurrent: true }, () => {
  it('accepts each signed message once, and no others', async () => {
    const id = `evt_${randomUUID()}`;
    const body = JSON.stringify({
      id,
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: { id: 'pi_nobody', object: 'payment_intent' } },
    });
    const send = (signature: string) =>
      fetch(`${site.origin}/api/stripe/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body,
      });
    const good = signatureOf(site.sandbox.webhookSecret, body, Math.floor(Date.now() / 1000));
    expect((await send('t=1,v1=00')).status).toBe(400);
    const kept = async () => {
      const { rows } = await site.foundation.database.pool.query(
        `select (select count(*) from app.webhook where id = $1)::int as webhooks,
                (select count(*) from app.job where id = 'webhook:' || $1)::int as jobs`,
        [id],
      );
      return rows[0];
    };
    expect((await send(good)).status).toBe(200);
    // What it told is done; told again, it is not done again.
    await eventually(async () => expect(await kept()).toEqual({ webhooks: 1, jobs: 0 }));
    expect((await send(good)).status).toBe(200);
    expect(await kept()).toEqual({ webhooks: 1, jobs: 0 });
  });
});

describe('cancelling a booking', { concurrent: true }, () => {
  const cancel = (buyer: Buyer, bookingId: number, reason = 'I have fallen ill') =>
    buyer.post('/api/bookings/cancel', { bookingId, reason });

  it('pays back in full early enough, and the booking ends as refunded', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const { id: bookingId } = await bought(buyer, id);
    expect(await cancel(buyer, bookingId)).toMatchObject({
      status: 200,
      body: { refundApproved: true, refundAmount: '57.00', refundPercent: 100 },
    });
    expect(await cancel(buyer, bookingId)).toMatchObject({ status: 200, body: { refundAmount: '57.00' } });
    await eventually(async () => {
      expect(await stateOf.refund(bookingId)).toMatchObject({ phase: 'succeeded', refunded: 5_700 });
      expect(await stateOf.booking(bookingId)).toMatchObject({ status: 'refunded' });
    });
    expect(await stateOf.tickets(id)).toMatchObject({ sold: 0 });
    await eventually(async () =>
      expect(await mailsTo(buyer.id)).toEqual([
        'booking-confirmation',
        'booking-cancelled',
        'refund-completed',
      ]),
    );
  });

  it('pays back no less than the page has shown, and otherwise reports the new amount first', async () => {
    const buyer = new Buyer();
    const { id: bookingId } = await bought(buyer, await onSale({ startsIn: 3 * DAY }));
    const key = { 'idempotency-key': randomUUID() };
    const ask = (refundAmount?: string) =>
      buyer.post('/api/bookings/cancel', { bookingId, reason: 'I have fallen ill', refundAmount }, key);
    expect(await ask('57.00')).toMatchObject({
      status: 409,
      body: { code: 'REFUND_SMALLER', refundAmount: '45.60', refundPercent: 80 },
    });
    expect(await stateOf.booking(bookingId)).toMatchObject({ status: 'confirmed' });
    // Having looked again, the same page agrees. A repeat gets the answer of the first time, whatever became of the quote.
    for (let times = 0; times < 2; times++)
      expect(await ask('45.60')).toMatchObject({ status: 200, body: { refundAmount: '45.60' } });
    expect(await cancel(buyer, bookingId)).toMatchObject({ status: 200, body: { refundAmount: '45.60' } });
  });

  it('pays back 80 % within a week and nothing within a day, which a superuser can still approve', async () => {
    const buyer = new Buyer();
    const week = await bought(buyer, await onSale({ startsIn: 3 * DAY }));
    expect((await cancel(buyer, week.id)).body).toMatchObject({ refundAmount: '45.60', refundPercent: 80 });
    const day = await bought(buyer, await onSale({ startsIn: DAY / 2 }));
    expect((await cancel(buyer, day.id)).body).toMatchObject({ refundApproved: false, refundAmount: '0.00' });
    expect(await stateOf.refund(day.id)).toMatchObject({ phase: 'denied' });

    const superuser = new Buyer({ role: 'superuser' });
    const process = (body: object) => superuser.post(`/api/admin/refunds/${day.id}/process`, body);
    expect((await buyer.post(`/api/admin/refunds/${day.id}/process`, { approved: true })).status).toBe(403);
    expect(await process({ approved: false })).toMatchObject({ status: 400 });
    expect((await process({ approved: true })).body).toMatchObject({
      message: 'Refund approved and processed',
      refund: {
        id: day.id,
        refundAmount: '57.00',
        decision: 'Approved by admin',
        refundReason: 'I have fallen ill',
      },
    });
    await eventually(async () => expect(await stateOf.refund(day.id)).toMatchObject({ phase: 'succeeded' }));
    expect(await process({ approved: null })).toMatchObject({
      status: 409,
      body: { code: 'REFUND_SETTLED' },
    });
  });

  it('pays nothing back for a reinstated booking', async () => {
    const buyer = new Buyer();
    const { id } = await bought(buyer, await onSale({ startsIn: DAY / 2 }));
    await cancel(buyer, id);
    const reinstating = { bookingId: id, cancellation: 1, withdrawal: null };
    expect((await runProcess(reinstatement, reinstating, site.acting())).rest).toBe('done');
    const superuser = new Buyer({ role: 'superuser' });
    const process = (body: object) => superuser.post(`/api/admin/refunds/${id}/process`, body);
    for (const approved of [true, null]) {
      expect(await process({ approved })).toMatchObject({ status: 409, body: { code: 'REFUND_WITHDRAWN' } });
    }
    expect(await process({ approved: false, notes: 'It stands' })).toMatchObject({ status: 200 });
    expect(await stateOf.refund(id)).toMatchObject({ phase: 'denied' });
  });

  it('is refused for other people’s bookings, scanned ones and too short reasons', async () => {
    const buyer = new Buyer();
    const id = await onSale();
    const { id: bookingId } = await bought(buyer, id);
    const stranger = await cancel(new Buyer(), bookingId);
    expect(stranger).toMatchObject({ status: 404, body: { code: 'BOOKING_NOT_FOUND' } });
    // It would tell that there is such a booking, and when it last changed.
    expect(stranger.headers.has('x-log-position')).toBe(false);
    expect(await cancel(buyer, bookingId, 'too short')).toMatchObject({
      status: 400,
      body: { message: 'Please provide a detailed reason (minimum 10 characters)' },
    });
    const at = new Date().toISOString();
    const by = { id: 'door', name: 'Door' };
    const admitted = { bookingId, userId: buyer.id, listingId: id, page: 1, quantity: 2, gate: null, by, at };
    await site.acting().do(admission, bookingId, { type: 'Admit', ...admitted });
    const scanned = await cancel(buyer, bookingId);
    expect(scanned).toMatchObject({ status: 409, body: { code: 'ALREADY_SCANNED' } });
    // Whoever looks again then sees what the refusal was decided on.
    expect(scanned.headers.get('x-log-position')).toMatch(`${site.foundation.log.id}:`);
    expect(await stateOf.booking(bookingId)).toMatchObject({ status: 'confirmed' });
  });

  it('follows a refund that the provider finishes later', async () => {
    const buyer = new Buyer();
    const later = await bought(buyer, await onSale(), CARDS.refundLater);
    await cancel(buyer, later.id);
    await eventually(async () =>
      expect(await stateOf.refund(later.id)).toMatchObject({ phase: 'succeeded' }),
    );
    const told = await metaOf(`refund-${later.id}`);
    // Not by who submitted it: the provider said so on another occasion.
    expect(told.get('RefundSubmitted')?.correlationId).toBeDefined();
    expect(told.get('RefundSucceeded')?.correlationId).not.toBe(told.get('RefundSubmitted')?.correlationId);
  });

  it('follows a refund that the provider reverses', async () => {
    const buyer = new Buyer();
    const fails = await bought(buyer, await onSale(), CARDS.refundFails);
    await cancel(buyer, fails.id);
    await eventually(async () =>
      expect(await stateOf.refund(fails.id)).toMatchObject({ phase: 'failed', attempt: 1 }),
    );
  });
});

describe('deletions', { concurrent: true }, () => {
  it('of a listing cancel and refund every booking', async () => {
    const id = await onSale();
    const booked: { readonly id: number }[] = [];
    for (let n = 0; n < 3; n++) booked.push(await bought(new Buyer(), id));
    await deleteListing(site.deps.purchases, id, site.acting(), { until: 'archived' });
    expect(await new Buyer().intent(id)).toMatchObject({ status: 409 });
    await eventually(async () => {
      for (const { id: bookingId } of booked) {
        expect(await stateOf.refund(bookingId)).toMatchObject({ phase: 'succeeded', refunded: 5_700 });
      }
    });
    expect(await stateOf.tickets(id)).toMatchObject({ sold: 0 });
  });

  it('of an account end its checkouts and upcoming bookings', async () => {
    const buyer = new Buyer();
    const upcoming = await bought(buyer, await onSale({ startsIn: 3 * DAY }));
    const open = await onSale();
    await buyer.intent(open);
    const at = new Date().toISOString();
    const end = () => endPurchases(site.deps.purchases, buyer.id, site.acting(), 'account-erased', at);
    await end();
    expect(await stateOf.tickets(open)).toMatchObject({ held: 0 });
    expect(await stateOf.booking(upcoming.id)).toMatchObject({
      status: 'cancelled',
      cancellation: { by: 'account-erased', percent: 80 },
    });
    await end();
  });

  it('of an account refund by the time of the request, even if a checkout cannot be closed yet', async () => {
    const buyer = new Buyer();
    const upcoming = await bought(buyer, await onSale({ startsIn: 3 * DAY }));
    const open = await onSale();
    await buyer.intent(open);
    const asked = new Date(Date.now() - 5 * DAY).toISOString();
    const gateway = memoryGateway();
    gateway.fail(true);
    const parts = { ...site.deps.purchases, gateway };
    await expect(endPurchases(parts, buyer.id, site.acting(), 'account-erased', asked)).rejects.toThrow();
    expect(await stateOf.tickets(open)).toMatchObject({ held: 2 });
    expect(await stateOf.booking(upcoming.id)).toMatchObject({
      status: 'cancelled',
      cancellation: { by: 'account-erased', percent: 100 },
    });
    await endPurchases(site.deps.purchases, buyer.id, site.acting(), 'account-erased', asked);
    expect(await stateOf.tickets(open)).toMatchObject({ held: 0 });
  });

  it('of an account end purchases and checkouts started meanwhile', async () => {
    const buyer = new Buyer();
    await registerAccount(
      site.deps,
      {
        ...{ accountId: buyer.id, email: 'late@example.com', firstName: 'Lea', lastName: null },
        ...{
          profileImageUrl: null,
          role: 'user',
          verified: true,
          via: 'password',
          password: 'correct horse',
        },
      },
      site.acting(),
    );
    const [open, paid] = [await onSale(), await onSale()];
    const late: { id: number }[] = [];
    const { credentials } = site.deps;
    const slow: ErasureDeps = {
      ...site.deps,
      credentials: {
        ...credentials,
        async remove(accountId) {
          expect(await buyer.intent(open)).toMatchObject({ status: 200 });
          late.push(await bought(buyer, paid));
          await credentials.remove(accountId);
        },
      },
    };
    await eraseAccount(
      slow,
      buyer.id,
      buyer.id,
      site.acting().as({ kind: 'user', id: buyer.id, role: 'user' }),
    );
    expect(await stateOf.tickets(open)).toMatchObject({ held: 0 });
    expect(await stateOf.booking(late[0]?.id ?? 0)).toMatchObject({
      status: 'cancelled',
      cancellation: { by: 'account-erased', refund: 5_700 },
    });
  });
});
