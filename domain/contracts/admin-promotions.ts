import * as z from 'zod/mini';
import { endOfDay, HOME_ZONE, toInstant } from '#domain/kernel/zone.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import { crudCalls } from './crud.ts';
import { amount, flag, idText, LONGEST, missingOr, optionalText, since, text } from './fields.ts';

const missing = 'Please fill in promotion name and code';
const badDiscount = 'The discount has to be a number with at most two places';
const badLimit = 'At least one use, or no limit';

const MINUTE = 60_000;
const LONDON_CLOCK = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)[:.\d]*)?$/;

const instantOf = (value: string, edge: 'first' | 'last'): string => {
  const [, date, time] = LONDON_CLOCK.exec(value) ?? [];
  if (!date) return new Date(value).toISOString();
  if (edge === 'first') return toInstant({ date, time: time ?? '00:00' }, HOME_ZONE);
  const end = time
    ? Date.parse(toInstant({ date, time }, HOME_ZONE)) + MINUTE
    : Date.parse(endOfDay(date, HOME_ZONE));
  return new Date(end - 1).toISOString();
};

/** An ISO instant, or a London day or minute. Parsed into an instant. */
const edge = (which: 'first' | 'last', required: string) =>
  z.pipe(
    z
      .union([z.iso.date(), z.iso.datetime({ local: true, offset: true })], {
        error: missingOr(required, 'Must be a date such as 2026-12-04, or a date and time'),
      })
      .check(z.regex(/^2/, 'Must be in this millennium')),
    z.transform((value: string) => instantOf(value, which)),
  );

export const editPromotionRequest = z.strictObject({
  name: text(LONGEST.name, missing),
  code: text(LONGEST.code, missing),
  description: optionalText(LONGEST.reason),
  discountType: z.enum(['percentage', 'fixed'], 'Must be percentage or fixed'),
  discountValue: amount(badDiscount),
  usageLimit: z._default(
    z.nullish(z.int(badLimit).check(z.minimum(1, badLimit), z.maximum(1_000_000_000, badLimit))),
    null,
  ),
  validFrom: edge('first', 'Say when it begins'),
  validUntil: edge('last', 'Say when it ends'),
  isActive: flag(true),
  ...since(),
});
export type EditPromotionRequest = z.input<typeof editPromotionRequest>;

/** Defaults to 0 percent off, from `at` on. An edit requires all fields: an omitted unit must not turn pounds into percent. */
export const promotionRequest = z.extend(z.omit(editPromotionRequest, { revision: true }), {
  discountType: z._default(z.optional(editPromotionRequest.shape.discountType), 'percentage'),
  discountValue: z._default(z.optional(editPromotionRequest.shape.discountValue), 0),
  validFrom: z.optional(editPromotionRequest.shape.validFrom),
});

export const termsOf = ({
  discountValue,
  ...request
}: Omit<z.output<typeof editPromotionRequest>, 'revision'>): PromotionTerms & { readonly code: string } => ({
  ...request,
  usageLimit: request.usageLimit ?? null,
  discountValue: request.discountType === 'percentage' ? discountValue / 100 : discountValue,
});

export const adminPromotion = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string(),
  description: z.string(),
  discountType: z.enum(['percentage', 'fixed']),
  discountValue: z.string(),
  usageLimit: z.nullable(z.int()),
  usageCount: z.int(),
  heldCount: z.int(),
  /** ISO instants. */
  validFrom: z.string(),
  validUntil: z.string(),
  isActive: z.boolean(),
  revision: z.string(),
});
export type AdminPromotion = z.infer<typeof adminPromotion>;

/** A code is unique (`CODE_TAKEN`). `remove` frees it; open checkouts keep reserved uses. */
export const adminPromotionCalls = {
  ...crudCalls('/api/admin/promotions', {
    request: promotionRequest,
    edited: editPromotionRequest,
    item: adminPromotion,
    sorts: ['code', 'name', 'uses', 'ends'],
    filters: { state: z.optional(z.enum(['active', 'inactive'])) },
    id: idText(),
  }),
};
