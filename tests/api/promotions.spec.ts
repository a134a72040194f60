/** Promotions, as superusers keep them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { adminPromotionCalls } from '#domain/contracts/admin-promotions.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

const SPRING = {
  name: 'Spring',
  code: 'SPRING',
  description: 'For the first warm evening',
  discountType: 'fixed',
  discountValue: 5,
  usageLimit: 2,
  validFrom: '2026-01-01',
  validUntil: '2099-07-31',
  isActive: true,
};

let site: Site;
let superuser: Member;
let eventId: number;
beforeAll(async () => {
  site = await startSite();
  eventId = await (await openHall(site)).listed();
  superuser = await site.member('superuser', 'Sue');
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers = {}) =>
  superuser.browser.call(method, `/api/admin/promotions${path}`, body, headers);
const all = (query = {}) => superuser.browser.ask(adminPromotionCalls.list, { query });
const added = async (changes: object): Promise<number> => {
  const { status, body } = await send('POST', '', { ...SPRING, ...changes });
  expect(status).toBe(201);
  return body.id;
};
const discount = async (code: string): Promise<string> =>
  (await superuser.browser.post('/api/validate-promotion', { code, eventId, totalAmount: '40.00' })).body
    .discountAmount;

describe('a promotion', () => {
  it('is added, edited and deleted, in pounds, and works at once', async () => {
    const made = await send('POST', '', { ...SPRING, code: 'spring' });
    const shown = {
      ...SPRING,
      discountValue: '5.00',
      usageCount: 0,
      heldCount: 0,
      validFrom: '2026-01-01T00:00:00.000Z',
      // The whole last day in London, by its summer time.
      validUntil: '2099-07-31T22:59:59.999Z',
    };
    expect(made).toMatchObject({ status: 201, body: shown });
    const { id } = made.body;
    expect(await all()).toEqual([{ id, ...shown, revision: made.body.revision }]);
    expect(await discount('Spring')).toBe('5.00');

    const half = {
      ...SPRING,
      code: 'HALF',
      discountType: 'percentage',
      discountValue: '12.5',
      usageLimit: null,
    };
    const edited = await send('PUT', `/${id}`, half);
    expect(edited).toMatchObject({
      status: 200,
      body: { code: 'HALF', discountValue: '12.5', usageLimit: null },
    });
    expect(await discount('SPRING')).toBe('0.00');
    expect(await discount('HALF')).toBe('5.00');

    expect(await send('PUT', `/${id}`, { ...half, isActive: false })).toMatchObject({ status: 200 });
    expect(await discount('HALF')).toBe('0.00');
    expect(await all({ state: 'active' })).toEqual([]);
    expect(await all({ state: 'inactive', search: 'half' })).toHaveLength(1);

    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 });
    expect(await all()).toEqual([]);
    for (const gone of [await send('PUT', `/${id}`, half), await send('DELETE', '/99999')])
      expect(gone).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('is added once for one key, and its code is unique', async () => {
    const key = { 'idempotency-key': '9d5b0f7e-5c3b-4a6e-9a53-0f3f5f1d2c13' };
    const body = { ...SPRING, code: 'ONCE' };
    const first = await send('POST', '', body, key);
    expect((await send('POST', '', body, key)).body).toEqual(first.body);
    const taken = { status: 409, body: { code: 'CODE_TAKEN' } };
    expect(await send('POST', '', { ...body, code: 'once' })).toMatchObject(taken);
    const other = await added({ code: 'OTHER' });
    expect(await send('PUT', `/${other}`, body)).toMatchObject(taken);
  });

  it('counts its uses by bookings and by open checkouts', async () => {
    const id = await added({ code: 'HALVES', discountType: 'percentage', discountValue: 50 });
    const promoCode = 'HALVES';
    const uses = async () => (await all({ search: promoCode })).map((one) => [one.usageCount, one.heldCount]);
    const [ann, bea] = [await site.member(), await site.member('user', 'Bea')];
    const order = { eventId, quantity: 1, amount: '10.00', promoCode };
    const intent = await ann.browser.ask(paymentCalls.createIntent, { body: order });
    await bea.browser.ask(paymentCalls.createIntent, { body: order });
    await site.caughtUp();
    expect(await uses()).toEqual([[0, 2]]);
    await site.pay(intent);
    const booking = { eventId, quantity: 1, totalAmount: '10.00', promoCode };
    expect(await ann.browser.post('/api/bookings', booking)).toMatchObject({ status: 201 });
    await eventually(async () => expect(await uses()).toEqual([[1, 1]]));
    // Who has a use keeps it when the promotion goes.
    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 });
    const again = await bought(site, await site.member('user', 'Cem'), eventId, 1);
    expect(again.totalAmount).toBe('20.00');
  });

  it.each([
    [{ name: ' ' }, 'name', 'Please fill in promotion name and code'],
    [{ code: '' }, 'code', 'Please fill in promotion name and code'],
    [{ code: 'A B' }, 'code', 'Use letters, digits, hyphens and underscores, at most 50'],
    [{ discountType: 'gift' }, 'discountType', 'Must be percentage or fixed'],
    [{ discountType: 'percentage', discountValue: 101 }, 'discountValue', 'At most 100 per cent'],
    [{ discountValue: '1.234' }, 'discountValue', 'The discount has to be a number with at most two places'],
    [{ discountValue: -1 }, 'discountValue', 'The discount has to be a number with at most two places'],
    [{ usageLimit: 0 }, 'usageLimit', 'At least one use, or no limit'],
    [{ validUntil: undefined }, 'validUntil', 'Say when it ends'],
    [{ validUntil: '2025-12-31' }, 'validUntil', 'It has to end after it begins'],
    [{ validUntil: 'soon' }, 'validUntil', 'Must be a date such as 2026-12-04, or a date and time'],
    [{ validUntil: '0000-01-01' }, 'validUntil', 'Must be in this millennium'],
    [{ validUntil: '9999-12-31' }, 'validUntil', 'Must be in this millennium'],
  ])('is refused with %j', async (changes, field, message) => {
    const id = (await all({ search: 'ONCE' }))[0]?.id;
    const body = { ...SPRING, code: 'BAD', ...changes };
    for (const refused of [await send('POST', '', body), await send('PUT', `/${id}`, body)])
      expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: message } } });
  });

  it.each([
    ['2027-03-28', '2027-03-28T22:59:59.999Z'],
    ['2027-12-04T19:30', '2027-12-04T19:30:59.999Z'],
    ['2027-07-04T19:30:00', '2027-07-04T18:30:59.999Z'],
    ['2027-07-04T19:30:00+02:00', '2027-07-04T17:30:00.000Z'],
  ])('ends at %s', async (validUntil, instant) => {
    const { body } = await send('POST', '', { ...SPRING, code: 'ENDS', validUntil });
    expect(body.validUntil).toBe(instant);
    await send('DELETE', `/${body.id}`);
  });

  it('is in the exported file', async () => {
    await added({ code: 'FILED', validFrom: '2027-07-01', validUntil: '2027-07-31' });
    const { body } = await superuser.browser.get('/api/admin/promotions/export-csv?search=filed');
    expect(body).toMatch(
      /\n\d+,FILED,Spring,For the first warm evening,fixed,5\.00,0,2,2027-07-01 00:00,2027-07-31 23:59,yes\n$/,
    );
  });
});
