import type { Quote } from '#domain/checkout/events.ts';
import { quotePrice } from '#domain/checkout/quote.ts';
import { SITE_CONFIG, settingOf, siteConfig } from '#domain/content/site-config.ts';
import { type Rejection, reject } from '#domain/kernel/decider.ts';
import { type Pence, toDecimal } from '#domain/kernel/money.ts';
import { listing } from '#domain/listing/listing.ts';
import { type OnSale, onSale } from '#domain/listing/state.ts';
import type { Wanted } from '#domain/processes/opening.ts';
import { checkPromotion, type PromotionAnswer, promoCodeOf } from '#domain/promotion/check.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import type { Readings } from './readings.ts';

export interface Priced {
  readonly sale: OnSale;
  readonly quote: Quote;
}

export interface Asking {
  readonly at: string;
  readonly attempt?: string;
}

export const checkCode = async (
  readings: Readings,
  text: string,
  total: Pence,
  asking: Asking,
  fresh = false,
): Promise<PromotionAnswer> => {
  const code = promoCodeOf(text);
  if (!code) return { valid: false, why: 'PROMO_INVALID' };
  const { promotionId } = await readings.read(promoCode, code, fresh);
  if (promotionId === null) return { valid: false, why: 'PROMO_INVALID' };
  const state = await readings.read(promotion, promotionId, fresh);
  // An interrupted edit leaves the promotion's previous code taken.
  if (state.code !== code) return { valid: false, why: 'PROMO_INVALID' };
  return checkPromotion(state, { total, ...asking });
};

const price = async (
  readings: Readings,
  wanted: Wanted,
  asking: Asking,
  fresh: boolean,
): Promise<Priced | Rejection> => {
  const [settings, listed] = await Promise.all([
    readings.read(siteConfig, SITE_CONFIG, fresh),
    readings.read(listing, wanted.listingId, fresh),
  ]);
  if (settingOf(settings, 'booking_enabled') === 'false') return reject('BOOKING_DISABLED');
  const sale = onSale(listed, asking.at);
  if (typeof sale === 'string') return reject(sale);
  const { quantity } = wanted;
  const code = wanted.promoCode?.trim();
  const answer = code ? await checkCode(readings, code, sale.price * quantity, asking, fresh) : undefined;
  if (answer?.valid === false) return reject(answer.why);
  const offer = answer ? { ...answer.terms, promotionId: answer.promotionId, code: answer.code } : null;
  const quote = quotePrice({ unitPrice: sale.price, quantity, promotion: offer });
  if ('rejected' in quote) return quote;
  if (quote.total !== wanted.amount) return reject('PRICE_CHANGED', { amount: toDecimal(quote.total) });
  return { sale, quote };
};

/**
 * Rejections: BOOKING_DISABLED, LISTING_NOT_FOUND, LISTING_ARCHIVED, SALES_CLOSED, PROMO_INVALID,
 * PROMO_USED_UP, AMOUNT_TOO_SMALL, and PRICE_CHANGED with the right `amount`.
 */
export const priceOf = async (
  readings: Readings,
  wanted: Wanted,
  asking: Asking,
): Promise<Priced | Rejection> => {
  const quick = await price(readings, wanted, asking, false);
  return 'rejected' in quick ? price(readings, wanted, asking, true) : quick;
};

/** As `priceOf`, at the price at which an open attempt holds tickets, though its promotion has ended since. */
export const heldPrice = async (
  readings: Readings,
  wanted: Wanted,
  held: Quote,
  at: string,
): Promise<Priced | Rejection> => {
  const code = promoCodeOf(wanted.promoCode ?? '');
  if (!held.promotion || held.promotion.code !== code) return reject('PROMO_INVALID');
  const inFull = { ...wanted, promoCode: null, amount: held.total + held.discount };
  const answer = await priceOf(readings, inFull, { at });
  return 'rejected' in answer ? reject('PROMO_INVALID') : { ...answer, quote: held };
};
