import { findPromotion } from '#command-api/catalogue/promotions.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { toDiscountValue } from '#domain/answers/promotions.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { liveAttempt } from '#domain/checkout/state.ts';
import { promotionCalls } from '#domain/contracts/promotions.ts';
import { errors } from '#domain/kernel/errors.ts';
import { toDecimal, toPounds } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { listing } from '#domain/listing/listing.ts';
import { checkPromotion } from '#domain/promotion/check.ts';
import { initial } from '#domain/promotion/state.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';

/** A preview: only the checkout reserves the use. One reserved by the caller's open checkout counts as available. */
export const promotionRoutes = (app: App, deps: Pick<CommandDeps, 'handler' | 'clock'>): void => {
  route(app, promotionCalls.validate, async ({ body, principal }) => {
    const [{ state: listed }, found, { state: own }] = await Promise.all([
      deps.handler.state(listing, body.eventId),
      findPromotion(deps, body.code),
      deps.handler.state(checkout, checkoutId(principal.accountId, body.eventId)),
    ]);
    if (listed.listingId === null) throw new Refusal('LISTING_NOT_FOUND');
    const at = deps.clock().toISOString();
    const live = liveAttempt(own);
    const asking = {
      at,
      total: body.totalAmount,
      ...(live && !live.payment ? { attempt: live.attempt } : {}),
    };
    const answer = checkPromotion(found ?? initial, asking);
    if (!answer.valid) {
      return { valid: false, discountAmount: '0.00', message: errors[answer.why].message, promotion: null };
    }
    const { code, terms, discount } = answer;
    return {
      valid: true,
      discountAmount: toDecimal(discount),
      message: `${code} takes ${toPounds(discount)} off.`,
      promotion: { code, discountType: terms.discountType, discountValue: toDiscountValue(terms) },
    };
  });
};
