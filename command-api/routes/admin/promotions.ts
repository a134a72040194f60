import { addPromotion, archivePromotion, editPromotion } from '#command-api/catalogue/promotions.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { crudOn } from '#command-api/routes/change.ts';
import { toAdminPromotion } from '#domain/answers/promotions.ts';
import { type AdminPromotion, adminPromotionCalls, termsOf } from '#domain/contracts/admin-promotions.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import type { App } from '#infra/http/server.ts';

const answerOf = async (id: number, acting: ActingHandler): Promise<AdminPromotion> => {
  const { code, terms, redeemed, reserved } = (await acting.state(promotion, id)).state;
  if (!terms) throw new Refusal('NOT_FOUND');
  return toAdminPromotion({ id, code, terms, redeemed: redeemed.size, reserved: reserved.size });
};

export const adminPromotionRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies'>,
): void => {
  crudOn(app, deps)(adminPromotionCalls, {
    newId: () => deps.ids.next('promotion'),
    create: (id, body, acting) => {
      const { validFrom = acting.context.at } = body;
      return addPromotion(deps, termsOf({ ...body, validFrom }), acting, id);
    },
    edit: (id, body, acting) => editPromotion(id, termsOf(body), acting),
    remove: archivePromotion,
    answer: answerOf,
    removed: () => 'Promotion deleted',
  });
};
