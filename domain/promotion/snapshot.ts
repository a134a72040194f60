import { Set as ImmutableSet } from 'immutable';
import { z } from 'zod';
import type { PromotionState } from './state.ts';

const Snapshot = z.object({
  promotionId: z.number().nullable(),
  code: z.string(),
  terms: z
    .object({
      name: z.string(),
      description: z.string(),
      discountType: z.enum(['percentage', 'fixed']),
      discountValue: z.number(),
      usageLimit: z.number().nullable(),
      validFrom: z.string(),
      validUntil: z.string(),
      isActive: z.boolean(),
    })
    .nullable(),
  archived: z.boolean(),
  reserved: z.array(z.string()),
  redeemed: z.array(z.string()),
  released: z.array(z.string()),
  returned: z.array(z.string()),
});

export const toJSON = (state: PromotionState): z.infer<typeof Snapshot> => ({
  ...state,
  reserved: [...state.reserved],
  redeemed: [...state.redeemed],
  released: [...state.released],
  returned: [...state.returned],
});

/** @throws ZodError for JSON that `toJSON` did not write */
export const fromJSON = (json: unknown): PromotionState => {
  const { reserved, redeemed, released, returned, ...rest } = Snapshot.parse(json);
  return {
    ...rest,
    reserved: ImmutableSet(reserved),
    redeemed: ImmutableSet(redeemed),
    released: ImmutableSet(released),
    returned: ImmutableSet(returned),
  };
};
