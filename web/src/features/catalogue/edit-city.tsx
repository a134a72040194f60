import { type AdminCity, adminCityCalls, editCityRequest } from '#domain/contracts/admin-places.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { HOME_ZONE } from '#domain/kernel/zone.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Field, Pair } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { Text } from '#web/ui/text.tsx';

export const stale = [adminCityCalls.list, catalogueCalls.cities, catalogueCalls.events, ['event']];

const formOf = ({
  name = '',
  state = '',
  country = '',
  zone = HOME_ZONE,
  revision,
}: Partial<AdminCity> = {}) => ({
  ...{ name, state, country, zone, revision },
});

const ZONES = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : [];

export const EditCity = ({ city, onClose }: { city: AdminCity | undefined; onClose: () => void }) => {
  const change = useChange(city ? adminCityCalls.edit : adminCityCalls.create, {
    params: { id: city?.id ?? 0 },
    draft: `city ${city?.id}`,
    stale,
    done: ({ name }) => ({ title: city ? 'City updated' : 'City created', description: name }),
    failed: city ? 'Failed to update city' : 'Failed to create city',
  });
  return (
    <FormDialog
      title={city ? `Edit ${city.name}` : 'Add City'}
      blank={formOf(city)}
      reopen={formOf}
      check={(form) => check(editCityRequest, form)}
      submit={city ? 'Save' : 'Add City'}
      busyText="Saving..."
      {...{ change, onClose }}
    >
      {({ form, field }) => (
        <>
          <Field label="City name" {...field('name')} />
          <Pair>
            <Field label="State / province" {...field('state')} />
            <Field label="Country" {...field('country')} />
          </Pair>
          <Field
            label="Time zone"
            hint="Events in this city start by its clock. Such as Europe/London."
            list="time-zones"
            {...field('zone')}
          />
          <datalist id="time-zones">
            {ZONES.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          {city && form.zone !== city.zone ? (
            <Text size="small" role="status">
              Coming events in this city keep their date and time, by the new zone’s clock. Everybody who has
              booked one of them gets a mail, and can cancel for all their money.
            </Text>
          ) : null}
        </>
      )}
    </FormDialog>
  );
};
