import {
  type AdminPromotion,
  adminPromotionCalls,
  type EditPromotionRequest,
  editPromotionRequest,
} from '#domain/contracts/admin-promotions.ts';
import { HOME_ZONE, toWallClock } from '#domain/kernel/zone.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { serverNow } from '#web/lib/clock.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Check, Field, Pair, Select, TextArea } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';

/** An instant in London time, formatted for a `datetime-local` field. */
const clock = (at: number | string): string => {
  const { date, time } = toWallClock(new Date(at).toISOString(), HOME_ZONE);
  return `${date}T${time}`;
};
const MONTH = 30 * 86_400_000;

/** Defaults: specification, section 5. */
const formOf = (promotion: AdminPromotion | undefined) => {
  const { name = '', code = '', description = '', discountType = 'percentage' } = promotion ?? {};
  const { discountValue = '0', usageLimit, validFrom, validUntil, isActive = true } = promotion ?? {};
  const now = serverNow();
  return {
    ...{ name, code, description, discountType: discountType as string, discountValue, isActive },
    usageLimit: usageLimit == null ? '' : String(usageLimit),
    revision: promotion?.revision,
    validFrom: clock(validFrom ?? now),
    validUntil: clock(validUntil ?? now + MONTH),
  };
};

const checkPromotion = (form: ReturnType<typeof formOf>) => {
  const usageLimit = form.usageLimit === '' ? null : Number(form.usageLimit);
  const sent = { ...form, usageLimit } as EditPromotionRequest;
  const checked = check(editPromotionRequest, sent);
  return checked.ok ? { ok: true as const, value: sent } : checked;
};

export const EditPromotion = ({
  promotion,
  onClose,
}: {
  promotion: AdminPromotion | undefined;
  onClose: () => void;
}) => {
  const change = useChange(promotion ? adminPromotionCalls.edit : adminPromotionCalls.create, {
    params: { id: promotion?.id ?? 0 },
    draft: `promotion ${promotion?.id}`,
    stale: [adminPromotionCalls.list],
    done: ({ code, name }) => ({
      title: promotion ? 'Promotion updated' : 'Promotion created',
      description: `${code}, ${name}`,
    }),
    failed: 'Failed to save promotion',
  });
  return (
    <FormDialog
      title={promotion ? `Edit ${promotion.code}` : 'Create Promotion'}
      blank={formOf(promotion)}
      reopen={formOf}
      check={checkPromotion}
      submit={promotion ? 'Save' : 'Create Promotion'}
      busyText="Saving..."
      width={640}
      {...{ change, onClose }}
    >
      {({ form, field, change: set }) => (
        <>
          <Pair>
            <Field label="Name" maxLength={100} {...field('name')} />
            <Field
              label="Code"
              maxLength={50}
              {...field('code')}
              onChange={({ target }) => set({ code: target.value.toUpperCase() })}
            />
          </Pair>
          <TextArea label="Description" optional maxLength={1000} {...field('description')} />
          <Pair>
            <Select
              label="Discount type"
              options={[
                { value: 'percentage', label: 'Percentage' },
                { value: 'fixed', label: 'Fixed amount' },
              ]}
              {...field('discountType')}
            />
            <Field
              label={form.discountType === 'percentage' ? 'Per cent off' : 'Pounds off the booking'}
              inputMode="decimal"
              {...field('discountValue')}
            />
          </Pair>
          <Field
            label="Max uses"
            optional
            type="number"
            inputMode="numeric"
            step="1"
            min="1"
            hint="How many bookings may use it."
            {...field('usageLimit')}
          />
          <Pair>
            <Field label="Valid from" type="datetime-local" {...field('validFrom')} />
            <Field label="Valid until" type="datetime-local" {...field('validUntil')} />
          </Pair>
          <Check
            label="Active: buyers can use it"
            checked={form.isActive}
            onChange={({ target }) => set({ isActive: target.checked })}
          />
        </>
      )}
    </FormDialog>
  );
};
