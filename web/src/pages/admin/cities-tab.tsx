import { type AdminCity, adminCityCalls, editCityRequest } from '#domain/contracts/admin-places.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { HOME_ZONE } from '#domain/zone.ts';
import { useChange } from '../../kit/change.ts';
import type { Column } from '../../kit/columns.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { List } from '../../kit/list.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { Field, Pair } from '../../ui/field.tsx';
import { check } from '../../words/form.ts';

const columns: readonly Column<AdminCity>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'State / province', sort: 'state', cell: ({ state }) => state || 'N/A' },
  { header: 'Country', sort: 'country', cell: ({ country }) => country },
  { header: 'Time zone', cell: ({ zone }) => zone },
];
/** What a changed city makes stale. */
const stale = [adminCityCalls.list, catalogueCalls.cities, catalogueCalls.events, ['event']];

const formOf = ({
  name = '',
  state = '',
  country = '',
  zone = HOME_ZONE,
  revision,
}: Partial<AdminCity> = {}) => ({
  ...{ name, state, country, zone, revision },
});

/** The dialog that adds a city, or edits the given one. */
const EditCity = ({ city, onClose }: { city: AdminCity | undefined; onClose: () => void }) => {
  const add = useChange(adminCityCalls.create, {
    stale,
    done: ({ name }) => ({ title: 'City created', description: name }),
    failed: 'Failed to create city',
  });
  const edit = useChange(adminCityCalls.edit, {
    params: { id: city?.id ?? 0 },
    stale,
    done: ({ name }) => ({ title: 'City updated', description: name }),
    failed: 'Failed to update city',
  });
  return (
    <FormDialog
      title={city ? `Edit ${city.name}` : 'Add City'}
      keptAs={`city ${city?.id}`}
      blank={formOf(city)}
      reopen={formOf}
      check={(form) => check(editCityRequest, form)}
      submit={city ? 'Save' : 'Add City'}
      busyText="Saving..."
      change={city ? edit : add}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <Field label="City name" {...field('name')} />
          <Pair>
            <Field label="State / province" {...field('state')} />
            <Field label="Country" {...field('country')} />
          </Pair>
          <Field label="Time zone" hint="Events in this city start by its clock." {...field('zone')} />
        </>
      )}
    </FormDialog>
  );
};

/** The cities tab: the cities that venues and events can be in. */
export const Tab = () => (
  <List
    call={adminCityCalls.list}
    exportCall={adminCityCalls.exportCsv}
    title="Cities"
    noun="cities"
    empty={{ title: 'No cities found', text: 'Add the first one: venues need a city.' }}
    columns={columns}
    perPage={25}
    search="Search by name, state or country"
    create={{ words: 'Add City', open: (onClose) => <EditCity city={undefined} onClose={onClose} /> }}
    actions={(city) => [
      {
        words: 'Edit',
        label: `Edit ${city.name}`,
        open: (onClose) => <EditCity city={city} onClose={onClose} />,
      },
      {
        words: 'Delete',
        label: `Delete ${city.name}`,
        open: (onClose) => (
          <RemoveDialog
            call={adminCityCalls.remove}
            change={{
              params: { id: city.id },
              stale,
              done: () => ({ title: 'City deleted', description: city.name }),
              failed: 'Failed to delete city',
            }}
            title={`Delete ${city.name}?`}
            onClose={onClose}
          >
            A city that still has venues can’t be deleted.
          </RemoveDialog>
        ),
      },
    ]}
  />
);
