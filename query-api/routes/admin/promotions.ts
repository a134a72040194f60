import type { Selectable } from 'kysely';
import { adminPromotionCalls } from '#domain/contracts/admin-promotions.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import { toAdminPromotion } from '#domain/promotion/answer.ts';
import type { App } from '#infra/http/server.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import type { QueryContext } from '#query-api/context.ts';
import { contains, csvRoute, listRoute } from '#query-api/routes/list.ts';

const promotionOf = (row: Selectable<ReadModels['promotion']>) =>
  toAdminPromotion({
    ...row,
    terms: {
      name: row.name,
      description: row.description,
      discountType: row.discount_type,
      discountValue: Number(row.discount_value),
      usageLimit: row.usage_limit,
      validFrom: row.valid_from,
      validUntil: row.valid_until,
      isActive: row.is_active,
    },
  });

/** Promotions, with their uses. */
export const adminPromotionRoutes = (app: App, context: QueryContext): void => {
  const source = {
    sorts: { code: 'code', name: 'name', uses: 'redeemed', ends: 'valid_until', made: 'id' },
    usual: '-made' as const,
    id: 'id',
    select({ search, state }: QueryOf<typeof adminPromotionCalls.list>) {
      let found = context.db.selectFrom('promotion').selectAll().where('archived', '=', false);
      if (state) found = found.where('is_active', '=', state === 'active');
      return search ? found.where(contains(['code', 'name', 'description'], search)) : found;
    },
  };
  const items = (rows: readonly Selectable<ReadModels['promotion']>[]) => rows.map(promotionOf);
  listRoute(app, adminPromotionCalls.list, source, items);
  csvRoute(app, context, adminPromotionCalls.exportCsv, source, {
    name: 'promotions',
    items,
    columns: [
      ['ID', ({ id }) => id],
      ['Code', ({ code }) => code],
      ['Name', ({ name }) => name],
      ['Description', ({ description }) => description],
      ['Discount type', ({ discountType }) => discountType],
      ['Discount', ({ discountValue }) => discountValue],
      ['Uses', ({ usageCount }) => usageCount],
      ['Limit', ({ usageLimit }) => usageLimit],
      ['Valid from', ({ validFrom }) => validFrom],
      ['Valid until', ({ validUntil }) => validUntil],
      ['Active', ({ isActive }) => isActive],
    ],
  });
};
