import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import {
  type AdminVenue,
  adminCityCalls,
  adminVenueCalls,
  editVenueRequest,
} from '#domain/contracts/admin-places.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Field, Pair, Select } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';

export const stale = [adminVenueCalls.list, adminEventCalls.list, catalogueCalls.events, ['event']];

const formOf = ({ name = '', address = '', cityId, capacity, revision }: Partial<AdminVenue> = {}) => ({
  ...{ name, address, revision },
  cityId: String(cityId ?? ''),
  capacity: String(capacity ?? ''),
});

export const EditVenue = ({ venue, onClose }: { venue: AdminVenue | undefined; onClose: () => void }) => {
  const { data: cities = [] } = useAnswer(adminCityCalls.list);
  const { id = 0, name } = venue ?? {};
  const change = useChange(venue ? adminVenueCalls.edit : adminVenueCalls.create, {
    params: { id },
    draft: `venue ${id}`,
    stale,
    done: (saved) => ({ title: venue ? 'Venue updated' : 'Venue created', description: saved.name }),
    failed: venue ? 'Failed to update venue' : 'Failed to create venue',
  });
  return (
    <FormDialog
      title={venue ? `Edit ${name}` : 'Add Venue'}
      blank={formOf(venue)}
      reopen={formOf}
      check={(form) =>
        check(editVenueRequest, {
          ...form,
          cityId: Number(form.cityId),
          capacity: form.capacity === '' ? undefined : Number(form.capacity),
        })
      }
      submit={venue ? 'Save' : 'Add Venue'}
      busyText="Saving..."
      {...{ change, onClose }}
    >
      {({ field }) => (
        <>
          <Field label="Venue name" maxLength={100} {...field('name')} />
          <Field label="Address" maxLength={500} {...field('address')} />
          <Pair>
            <Select
              label="City"
              options={[
                { value: '', label: 'Choose a city' },
                ...cities.map((city) => ({ value: String(city.id), label: city.name })),
              ]}
              {...field('cityId')}
            />
            <Field
              label="Capacity"
              type="number"
              inputMode="numeric"
              step="1"
              min="1"
              {...field('capacity')}
            />
          </Pair>
        </>
      )}
    </FormDialog>
  );
};
