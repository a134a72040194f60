import { addPromotion, archivePromotion, editPromotion } from '#command-api/catalogue/promotions.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { toAdminPromotion } from '#domain/answers/promotions.ts';
import { type AdminPromotion, adminPromotionCalls, termsOf } from '#domain/contracts/admin-promotions.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import type { App } from '#infra/http/server.ts';

const answerOf = async (id: number, acting: ActingLane): Promise<AdminPromotion> => {
  const { code, terms, redeemed, reserved } = (await acting.state(promotion, id)).state;
  if (!terms) throw new Refusal('NOT_FOUND');
  return toAdminPromotion({ id, code, terms, redeemed: redeemed.size, reserved: reserved.size });
};

/** Changes to promotions by superusers. */
export const adminPromotionRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies'>,
): void => {
  const change = changesOn(app, deps);

  change(
    adminPromotionCalls.create,
    async ({ body }, { acting, ids }) => {
      const { validFrom = acting.context.at } = body;
      return answerOf(await addPromotion(deps, termsOf({ ...body, validFrom }), acting, ids.id), acting);
    },
    async () => ({ id: await deps.ids.next('promotion') }),
  );

  editsOn(app, deps)(
    adminPromotionCalls.edit,
    ({ params: { id }, body }, acting) => editPromotion(id, termsOf(body), acting),
    ({ params: { id } }, acting) => answerOf(id, acting),
  );

  change(adminPromotionCalls.remove, async ({ params: { id } }, { acting }) => {
    await archivePromotion(id, acting);
    return { message: 'Promotion deleted' };
  });
};
