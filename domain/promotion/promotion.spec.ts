import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { checkPromotion, promoCodeOf } from './check.ts';
import type { PromoCodeEvent, PromotionEvent, PromotionTerms } from './events.ts';
import { promoCode } from './promo-code.ts';
import { type PromotionCommand, promotion } from './promotion.ts';
import { fromJSON, toJSON } from './snapshot.ts';
import { uses } from './state.ts';

const at = '2026-11-21T12:00:00.000Z';
const terms: PromotionTerms = {
  name: 'Early birds',
  description: '',
  discountType: 'percentage',
  discountValue: 10,
  usageLimit: 2,
  validFrom: '2026-11-01T00:00:00.000Z',
  validUntil: '2026-12-01T00:00:00.000Z',
  isActive: true,
};
const promotionId = 3;
const created = (changes: Partial<PromotionTerms> = {}): PromotionEvent => ({
  type: 'PromotionCreated',
  data: { promotionId, code: 'EARLY', ...terms, ...changes },
});
const archived: PromotionEvent = { type: 'PromotionArchived', data: { promotionId } };
const reserved = (attempt: string): PromotionEvent => ({
  type: 'UseReserved',
  data: { promotionId, attempt, at },
});
const redeemed = (attempt: string, wasReserved = true): PromotionEvent => ({
  type: 'UseRedeemed',
  data: { promotionId, attempt, bookingId: 1, reserved: wasReserved },
});
const released = (attempt: string, wasReserved = true): PromotionEvent => ({
  type: 'UseReleased',
  data: { promotionId, attempt, reserved: wasReserved },
});
const returned = (attempt: string, counted: 'reserved' | 'redeemed' | null): PromotionEvent => ({
  type: 'UseReturned',
  data: { promotionId, attempt, bookingId: 1, counted },
});
const giveBack = (attempt: string): PromotionCommand => ({ type: 'ReturnUse', attempt, bookingId: 1 });
const reserve = (attempt: string): PromotionCommand => ({ type: 'ReserveUse', attempt, at });
const redeem = (attempt: string): PromotionCommand => ({ type: 'RedeemUse', attempt, bookingId: 1 });
const release = (attempt: string): PromotionCommand => ({ type: 'ReleaseUse', attempt });

describe('making a promotion', () => {
  it('records its terms once', () => {
    const create: PromotionCommand = { type: 'CreatePromotion', promotionId, code: 'EARLY', terms };
    given(promotion, []).when(create).then([created()]);
    given(promotion, [created()]).when(create).thenNothing();
  });

  it.each<[keyof PromotionTerms | 'code', Partial<PromotionTerms> & { code?: string }]>([
    ['code', { code: 'two words' }],
    ['code', { code: 'early' }],
    ['discountValue', { discountValue: -1 }],
    ['discountValue', { discountValue: 101 }],
    ['discountValue', { discountType: 'fixed', discountValue: 0.5 }],
    ['usageLimit', { usageLimit: 0 }],
    ['usageLimit', { usageLimit: 1.5 }],
    ['validUntil', { validUntil: '2026-11-01T00:00:00.000Z' }],
  ])('refuses an invalid %s', (field, { code = 'EARLY', ...changes }) => {
    const { decision } = given(promotion, []).when({
      type: 'CreatePromotion',
      promotionId,
      code,
      terms: { ...terms, ...changes },
    });
    expect(decision).toMatchObject({
      rejected: 'BAD_INPUT',
      details: { fields: { [field]: expect.any(String) } },
    });
  });

  it('records an edit if something differs, until it is archived', () => {
    const edit: PromotionCommand = { type: 'EditPromotion', code: 'EARLY', terms };
    given(promotion, [created()]).when(edit).thenNothing();
    given(promotion, [created()])
      .when({ ...edit, terms: { ...terms, usageLimit: null } })
      .then([{ type: 'PromotionEdited', data: { promotionId, code: 'EARLY', ...terms, usageLimit: null } }]);
    given(promotion, [created(), archived]).when(edit).thenRejected('PROMO_INVALID');
    given(promotion, [created()]).when({ type: 'ArchivePromotion' }).then([archived]);
    given(promotion, [created(), archived]).when({ type: 'ArchivePromotion' }).thenNothing();
  });
});

describe('using a promotion', () => {
  it('reserves uses up to the limit, counting bookings and open checkouts', () => {
    given(promotion, [created()])
      .when(reserve('a'))
      .then([reserved('a')]);
    given(promotion, [created(), reserved('a'), redeemed('a')])
      .when(reserve('b'))
      .then([reserved('b')]);
    given(promotion, [created(), reserved('a'), redeemed('a'), reserved('b')])
      .when(reserve('c'))
      .thenRejected('PROMO_USED_UP');
  });

  it('can be repeated without an event', () => {
    given(promotion, [created(), reserved('a')])
      .when(reserve('a'))
      .thenNothing();
    given(promotion, [created(), reserved('a'), redeemed('a')])
      .when(reserve('a'))
      .thenNothing();
    given(promotion, [created(), reserved('a'), redeemed('a')])
      .when(redeem('a'))
      .thenNothing();
    given(promotion, [created(), reserved('a'), released('a')])
      .when(release('a'))
      .thenNothing();
  });

  it('gives a released use to the next attempt', () => {
    given(promotion, [created({ usageLimit: 1 }), reserved('a'), released('a')])
      .when(reserve('b'))
      .then([reserved('b')]);
  });

  it('refuses a reservation that arrives after its release', () => {
    given(promotion, [created()])
      .when(release('a'))
      .then([released('a', false)]);
    given(promotion, [created(), reserved('a')])
      .when(release('a'))
      .then([released('a')]);
    given(promotion, [created(), released('a', false)])
      .when(reserve('a'))
      .thenRejected('CHECKOUT_EXPIRED');
  });

  it('never refuses a late payment', () => {
    const full = [created({ usageLimit: 1 }), reserved('a'), released('a'), reserved('b'), redeemed('b')];
    given(promotion, full)
      .when(redeem('a'))
      .then([redeemed('a', false)]);
    given(promotion, [...full, archived])
      .when(redeem('a'))
      .then([redeemed('a', false)]);
  });

  it('does not release a redeemed use', () => {
    given(promotion, [created(), reserved('a'), redeemed('a')])
      .when(release('a'))
      .thenNothing();
  });

  it.each<[string, PromotionEvent[]]>([
    ['none was made', []],
    ['it is switched off', [created({ isActive: false })]],
    ['it is archived', [created(), archived]],
    ['it has not begun', [created({ validFrom: '2026-11-22T00:00:00.000Z' })]],
    ['it is over', [created({ validUntil: '2026-11-21T11:59:59.999Z' })]],
  ])('is refused if %s', (_, history) => {
    given(promotion, history).when(reserve('a')).thenRejected('PROMO_INVALID');
    expect(checkPromotion(fold(promotion, history), { at, total: 1_000 })).toEqual({
      valid: false,
      why: 'PROMO_INVALID',
    });
  });

  it('is returned once for good, also before it was redeemed', () => {
    const used = [created({ usageLimit: 1 }), reserved('a'), redeemed('a')];
    given(promotion, used)
      .when(giveBack('a'))
      .then([returned('a', 'redeemed')]);
    const back = [...used, returned('a', 'redeemed')];
    for (const late of [giveBack('a'), redeem('a'), release('a')])
      given(promotion, back).when(late).thenNothing();
    given(promotion, back).when(reserve('a')).thenRejected('CHECKOUT_EXPIRED');
    given(promotion, back)
      .when(reserve('b'))
      .then([reserved('b')]);
    // The booking was placed, and whoever was to redeem its use was killed before that.
    const early = [created({ usageLimit: 1 }), reserved('a')];
    given(promotion, early)
      .when(giveBack('a'))
      .then([returned('a', 'reserved')]);
    given(promotion, [created(), released('a')])
      .when(giveBack('a'))
      .then([returned('a', null)]);
    for (const history of [
      [...early, returned('a', 'reserved')],
      [created(), released('a'), returned('a', null)],
    ]) {
      expect(uses(fold(promotion, history))).toBe(0);
      given(promotion, history).when(redeem('a')).thenNothing();
    }
  });

  it('stays within the limit except for late payments, in any order', () => {
    const command = fc
      .tuple(fc.constantFrom(reserve, redeem, release, giveBack), fc.constantFrom('a', 'b', 'c', 'd', 'e'))
      .map(([make, attempt]) => make(attempt));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let state = fold(promotion, [created()]);
        let late = 0;
        for (const next of commands) {
          const decision = promotion.decide(state, next);
          if ('rejected' in decision) continue;
          for (const event of decision) {
            if (event.type === 'UseRedeemed' && !event.data.reserved) late += 1;
          }
          state = fold(promotion, decision, state);
          expect(uses(state)).toBeLessThanOrEqual(2 + late);
          const again = promotion.decide(state, next);
          if (!('rejected' in again)) expect(again).toEqual([]);
        }
      }),
    );
  });
});

describe('checking a code', () => {
  const state = fold(promotion, [created(), reserved('a'), redeemed('a'), reserved('b')]);

  it('reports the discount', () => {
    expect(checkPromotion(fold(promotion, [created()]), { at, total: 2_855 })).toMatchObject({
      valid: true,
      promotionId,
      discount: 286,
    });
    const fixed = fold(promotion, [created({ discountType: 'fixed', discountValue: 500 })]);
    expect(checkPromotion(fixed, { at, total: 2_855 })).toMatchObject({ discount: 500 });
    expect(checkPromotion(fixed, { at, total: 300 })).toMatchObject({ discount: 300 });
    expect(checkPromotion(fixed, { at, total: 529 })).toEqual({ valid: false, why: 'AMOUNT_TOO_SMALL' });
    expect(checkPromotion(fixed, { at, total: 530 })).toMatchObject({ discount: 500 });
  });

  it('reports it as used up for others and for a buyer who has booked, but not for an attempt that reserved a use', () => {
    expect(checkPromotion(state, { at, total: 1_000 })).toEqual({ valid: false, why: 'PROMO_USED_UP' });
    expect(checkPromotion(state, { at, total: 1_000, attempt: 'b' })).toMatchObject({ valid: true });
    expect(checkPromotion(state, { at, total: 1_000, attempt: 'a' })).toMatchObject({ valid: false });
  });

  it('ignores case, spaces and typographic variants', () => {
    expect(promoCodeOf(' early-10 ')).toBe('EARLY-10');
    // As mails, word processors and keyboards of other scripts give it.
    for (const pasted of [
      'early\u201310',
      'Early\u201110\u200b',
      '\u2060EARLY\u2212\u00ad10',
      'ＥＡＲＬＹ－１０',
    ])
      expect(promoCodeOf(pasted)).toBe('EARLY-10');
    expect(['', 'two words', 'ÜBER', '-x', 'x'.repeat(51)].map(promoCodeOf)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  it('gives the same answers from a snapshot', () => {
    const copy = fromJSON(JSON.parse(JSON.stringify(toJSON(state))));
    expect(toJSON(copy)).toEqual(toJSON(state));
    expect(uses(copy)).toBe(2);
    const back = fromJSON(toJSON(fold(promotion, [returned('a', 'redeemed')], state)));
    expect(promotion.decide(back, redeem('a'))).toEqual([]);
    expect(() => fromJSON({ reserved: 1 })).toThrow();
  });
});

describe('a code', () => {
  const taken: PromoCodeEvent = { type: 'CodeTaken', data: { promotionId } };
  const freed: PromoCodeEvent = { type: 'CodeReleased', data: { promotionId } };

  it('belongs to one promotion until it is released', () => {
    given(promoCode, []).when({ type: 'TakeCode', promotionId }).then([taken]);
    given(promoCode, [taken]).when({ type: 'TakeCode', promotionId }).thenNothing();
    given(promoCode, [taken]).when({ type: 'TakeCode', promotionId: 4 }).thenRejected('CODE_TAKEN');
    given(promoCode, [taken]).when({ type: 'ReleaseCode', promotionId: 4 }).thenNothing();
    given(promoCode, [taken]).when({ type: 'ReleaseCode', promotionId }).then([freed]);
    given(promoCode, [taken, freed])
      .when({ type: 'TakeCode', promotionId: 4 })
      .then([{ type: 'CodeTaken', data: { promotionId: 4 } }]);
  });
});
