import { isRejection } from '#domain/decider.ts';
import { promoCodeOf } from '#domain/promotion/check.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { type PromotionCommand, promotion } from '#domain/promotion/promotion.ts';
import type { PromotionState } from '#domain/promotion/state.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import { accepted, fromRejection, HttpError } from '#infra/http/errors.ts';

import type { CatalogueDeps } from './deps.ts';
import { latest } from './latest.ts';

/** A promotion as its form gives it; the code in any case. */
export interface PromotionRequest extends PromotionTerms {
  readonly code: string;
}

const split = ({ code, ...terms }: PromotionRequest) => ({ code: promoCodeOf(code) ?? code.trim(), terms });

/** Refuses what the rules refuse before anything is written for it. */
const rehearse = (state: PromotionState, command: PromotionCommand): void => {
  const decision = promotion.decide(state, command);
  if (isRejection(decision)) throw fromRejection(decision);
};

/**
 * Takes a code for a promotion. One whose owner was never made, or is gone, is freed first: its making was cut off.
 * @throws HttpError CODE_TAKEN
 */
const takeCode = async (
  deps: CatalogueDeps,
  code: string,
  promotionId: number,
  context: Context,
): Promise<void> => {
  const { lane } = deps;
  const take = () =>
    lane.execute(promoCode, code, { type: 'TakeCode', promotionId }, following(context, deps.clock));
  const taken = await take();
  if (taken.ok) return;
  const owner = (await lane.state(promoCode, code)).state.promotionId;
  if (owner !== null) {
    const { state } = await lane.state(promotion, owner);
    if (state.code === code && !state.archived) throw new HttpError('CODE_TAKEN');
    const release = { type: 'ReleaseCode', promotionId: owner } as const;
    accepted(await lane.execute(promoCode, code, release, following(context, deps.clock)));
  }
  accepted(await take());
};

/** Makes a promotion: its code first, since that is what can be refused. @throws HttpError BAD_INPUT, CODE_TAKEN */
export const addPromotion = async (
  deps: CatalogueDeps,
  request: PromotionRequest,
  context: Context,
): Promise<{ readonly id: number; readonly position: Position }> => {
  const { lane, ids } = deps;
  const id = await ids.next('promotion');
  const command = { type: 'CreatePromotion', promotionId: id, ...split(request) } as const;
  rehearse(promotion.initial, command);
  await takeCode(deps, command.code, id, context);
  accepted(await lane.execute(promotion, id, command, following(context, deps.clock)));
  // Whoever took the code for abandoned meanwhile has it now.
  const kept = await lane.execute(
    promoCode,
    command.code,
    { type: 'TakeCode', promotionId: id },
    following(context, deps.clock),
  );
  if (!kept.ok) {
    accepted(await lane.execute(promotion, id, { type: 'ArchivePromotion' }, following(context, deps.clock)));
  }
  return { id, position: accepted(kept).position };
};

/** Edits a promotion, its code too. @throws HttpError BAD_INPUT, CODE_TAKEN, PROMO_INVALID (no such promotion, or no longer) */
export const editPromotion = async (
  deps: CatalogueDeps,
  id: number,
  request: PromotionRequest,
  context: Context,
): Promise<{ readonly id: number; readonly position: Position }> => {
  const { lane } = deps;
  const before = (await lane.state(promotion, id)).state;
  const command = { type: 'EditPromotion', ...split(request) } as const;
  rehearse(before, command);
  if (command.code !== before.code) await takeCode(deps, command.code, id, context);
  const edited = accepted(await lane.execute(promotion, id, command, following(context, deps.clock)));
  if (command.code === before.code) return { id, position: edited.position };
  const release = { type: 'ReleaseCode', promotionId: id } as const;
  const released = accepted(
    await lane.execute(promoCode, before.code, release, following(context, deps.clock)),
  );
  return { id, position: latest(edited.position, released.position) };
};

/** Ends a promotion for good and frees its code. Uses that are reserved may still be redeemed. @throws HttpError PROMO_INVALID */
export const archivePromotion = async (
  deps: CatalogueDeps,
  id: number,
  context: Context,
): Promise<{ readonly id: number; readonly position: Position }> => {
  const { lane } = deps;
  const { state } = accepted(
    await lane.execute(promotion, id, { type: 'ArchivePromotion' }, following(context, deps.clock)),
  );
  const release = { type: 'ReleaseCode', promotionId: id } as const;
  const { position } = accepted(
    await lane.execute(promoCode, state.code, release, following(context, deps.clock)),
  );
  return { id, position };
};

/** The promotion that a code stands for, out of the streams themselves; undefined where it stands for none. */
export const findPromotion = async (
  { lane }: Pick<CatalogueDeps, 'lane'>,
  text: string,
): Promise<PromotionState | undefined> => {
  const code = promoCodeOf(text);
  if (code === undefined) return undefined;
  const { promotionId } = (await lane.state(promoCode, code)).state;
  if (promotionId === null) return undefined;
  const { state } = await lane.state(promotion, promotionId);
  return state.code === code ? state : undefined;
};
