import { type Selectable, sql } from 'kysely';
import { toAdminPromotion } from '#domain/answers/promotions.ts';
import { adminPromotionCalls } from '#domain/contracts/admin-promotions.ts';
import type { App } from '#infra/http/server.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { atHome, exportedListRoutes } from '#query-api/routes/list.ts';

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

export const adminPromotionRoutes = (app: App, context: QueryContext): void => {
  exportedListRoutes(app, context, adminPromotionCalls.list, adminPromotionCalls.exportCsv, {
    name: 'promotions',
    sorts: { code: 'code', name: 'name', uses: 'redeemed', ends: 'valid_until' },
    usual: sql`-id`,
    id: 'id',
    select({ search, state }) {
      let found = context.db.selectFrom('promotion').selectAll().where('archived', '=', false);
      if (state) found = found.where('is_active', '=', state === 'active');
      return search ? found.where(contains(['code', 'name', 'description'], search)) : found;
    },
    items: (rows) => rows.map(promotionOf),
    columns: [
      ['ID', ({ id }) => id],
      ['Code', ({ code }) => code],
      ['Name', ({ name }) => name],
      ['Description', ({ description }) => description],
      ['Discount type', ({ discountType }) => discountType],
      ['Discount', ({ discountValue }) => discountValue],
      ['Uses', ({ usageCount }) => usageCount],
      ['Limit', ({ usageLimit }) => usageLimit],
      ['Valid from (London)', ({ validFrom }) => atHome(validFrom)],
      ['Valid until (London)', ({ validUntil }) => atHome(validUntil)],
      ['Active', ({ isActive }) => isActive],
    ],
  });
};
