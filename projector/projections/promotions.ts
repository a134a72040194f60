import { typesOf } from '#domain/kernel/event.ts';
import { type PromotionEvent, type PromotionTerms, promotionEvents } from '#domain/promotion/events.ts';
import type { RowOf } from '#infra/read-models/table.ts';
import { promotionTable } from '#infra/read-models/tables.ts';
import { type DeclaredProjection, expectRow, type Projected } from '#projector/engine/projection.ts';

type PromotionRow = RowOf<typeof promotionTable>;

const terms = (data: { readonly code: string } & PromotionTerms) => ({
  code: data.code,
  name: data.name,
  description: data.description,
  discount_type: data.discountType,
  discount_value: String(data.discountValue),
  usage_limit: data.usageLimit,
  valid_from: data.validFrom,
  valid_until: data.validUntil,
  is_active: data.isActive,
});

const change = (row: PromotionRow, event: PromotionEvent): PromotionRow => {
  switch (event.type) {
    case 'PromotionCreated':
      return row;
    case 'PromotionEdited':
      return { ...row, ...terms(event.data) };
    case 'PromotionArchived':
      return { ...row, archived: true, is_active: false };
    case 'UseReserved':
      return { ...row, reserved: row.reserved + 1 };
    case 'UseRedeemed':
      return {
        ...row,
        redeemed: row.redeemed + 1,
        reserved: event.data.reserved ? row.reserved - 1 : row.reserved,
      };
    case 'UseReleased':
      return event.data.reserved ? { ...row, reserved: row.reserved - 1 } : row;
    case 'UseReturned': {
      const { counted } = event.data;
      return counted ? { ...row, [counted]: row[counted] - 1 } : row;
    }
  }
};

const promotionRows: Projected<typeof promotionTable, PromotionEvent> = {
  table: promotionTable,
  types: typesOf(promotionEvents),
  keys: ({ event }) => [event.data.promotionId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    if (event.type !== 'PromotionCreated') return change(expectRow(row, applied), event);
    return {
      id: event.data.promotionId,
      ...terms(event.data),
      archived: false,
      reserved: 0,
      redeemed: 0,
      created_at: meta.at,
    };
  },
};

export const promotions: DeclaredProjection = { name: 'promotions', fold: 1, tables: [promotionRows] };
