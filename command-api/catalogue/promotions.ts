import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import { promoCodeOf } from '#domain/promotion/check.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import type { PromotionState } from '#domain/promotion/state.ts';

export interface PromotionRequest extends PromotionTerms {
  readonly code: string;
}

const split = ({ code, ...terms }: PromotionRequest) => ({ code: promoCodeOf(code) ?? code.trim(), terms });

/**
 * First frees a code whose promotion no longer has it.
 * @throws Refusal CODE_TAKEN
 */
const takeCode = async (code: string, promotionId: number, acting: ActingHandler): Promise<void> => {
  const take = { type: 'TakeCode', promotionId } as const;
  if ((await acting.ask(promoCode, code, take)).ok) return;
  const { promotionId: owner } = (await acting.state(promoCode, code)).state;
  if (owner !== null) {
    const { state } = await acting.state(promotion, owner);
    if (state.code === code && !state.archived) throw new Refusal('CODE_TAKEN');
    await acting.do(promoCode, code, { type: 'ReleaseCode', promotionId: owner });
  }
  await acting.do(promoCode, code, take);
};

/** @throws Refusal BAD_INPUT, CODE_TAKEN */
export const addPromotion = async (
  { ids }: Pick<CommandDeps, 'ids'>,
  request: PromotionRequest,
  acting: ActingHandler,
  given?: number,
): Promise<number> => {
  const id = given ?? (await ids.next('promotion'));
  const command = { type: 'CreatePromotion', promotionId: id, ...split(request) } as const;
  await acting.preview(promotion, id, command);
  await takeCode(command.code, id, acting);
  await acting.do(promotion, id, command);
  // A concurrent call may have found the code without a promotion and taken it.
  const kept = await acting.ask(promoCode, command.code, { type: 'TakeCode', promotionId: id });
  if (kept.ok) return id;
  await acting.do(promotion, id, { type: 'ArchivePromotion' });
  throw refusalOf(kept.rejection);
};

export const editPromotion = async (
  id: number,
  request: PromotionRequest,
  acting: ActingHandler,
): Promise<void> => {
  const { state: before } = await acting.state(promotion, id);
  if (before.promotionId === null || before.archived) throw new Refusal('NOT_FOUND');
  const command = { type: 'EditPromotion', ...split(request) } as const;
  const recoded = command.code !== before.code;
  await acting.preview(promotion, id, command);
  if (recoded) await takeCode(command.code, id, acting);
  await acting.do(promotion, id, command);
  if (recoded) await acting.do(promoCode, before.code, { type: 'ReleaseCode', promotionId: id });
};

/**
 * Frees the code; reserved uses may still be redeemed.
 * @throws Refusal NOT_FOUND
 */
export const archivePromotion = async (id: number, acting: ActingHandler): Promise<void> => {
  if ((await acting.state(promotion, id)).state.promotionId === null) throw new Refusal('NOT_FOUND');
  const { state } = await acting.do(promotion, id, { type: 'ArchivePromotion' });
  await acting.do(promoCode, state.code, { type: 'ReleaseCode', promotionId: id });
};

export const findPromotion = async (
  { handler }: Pick<CommandDeps, 'handler'>,
  text: string,
): Promise<PromotionState | undefined> => {
  const code = promoCodeOf(text);
  if (code === undefined) return undefined;
  const { promotionId } = (await handler.state(promoCode, code)).state;
  if (promotionId === null) return undefined;
  const { state } = await handler.state(promotion, promotionId);
  return state.code === code ? state : undefined;
};
