import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import {
  type AdminVenue,
  adminCityCalls,
  adminVenueCalls,
  editVenueRequest,
} from '#domain/contracts/admin-places.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { useAnswer } from '../../api/answers.ts';
import { useChange } from '../../kit/change.ts';
import type { Column } from '../../kit/columns.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { List } from '../../kit/list.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { Field, Pair, Select } from '../../ui/field.tsx';
import { check } from '../../words/form.ts';

const columns: readonly Column<AdminVenue>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'Address', cell: ({ address }) => address },
  { header: 'City', sort: 'city', cell: ({ city, cityId }) => `${city} (#${cityId})` },
  {
    header: 'Capacity',
    sort: 'capacity',
    align: 'end',
    cell: ({ capacity }) => capacity.toLocaleString('en-GB'),
  },
];
/** What a changed venue makes stale. */
const stale = [adminVenueCalls.list, adminEventCalls.list, catalogueCalls.events, ['event']];

const formOf = ({ name = '', address = '', cityId, capacity, revision }: Partial<AdminVenue> = {}) => ({
  ...{ name, address, revision },
  cityId: String(cityId ?? ''),
  capacity: String(capacity ?? ''),
});

/** The dialog that adds a venue, or edits the given one. */
const EditVenue = ({ venue, onClose }: { venue: AdminVenue | undefined; onClose: () => void }) => {
  const { data: cities = [] } = useAnswer(adminCityCalls.list);
  const { id = 0, name } = venue ?? {};
  const change = useChange(venue ? adminVenueCalls.edit : adminVenueCalls.create, {
    params: { id },
    stale,
    done: (saved) => ({ title: venue ? 'Venue updated' : 'Venue created', description: saved.name }),
    failed: venue ? 'Failed to update venue' : 'Failed to create venue',
  });
  return (
    <FormDialog
      title={venue ? `Edit ${name}` : 'Add Venue'}
      keptAs={`venue ${id}`}
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

/** The venues tab: the places that events can be at. */
export const Tab = () => (
  <List
    call={adminVenueCalls.list}
    exportCall={adminVenueCalls.exportCsv}
    title="Venues"
    noun="venues"
    empty={{ title: 'No venues found', text: 'Add the first one: each event needs a venue.' }}
    columns={columns}
    perPage={25}
    search="Search by name, address or city"
    create={{ words: 'Add Venue', open: (onClose) => <EditVenue venue={undefined} onClose={onClose} /> }}
    actions={(venue) => [
      {
        words: 'Edit',
        label: `Edit ${venue.name}`,
        open: (onClose) => <EditVenue venue={venue} onClose={onClose} />,
      },
      {
        words: 'Delete',
        label: `Delete ${venue.name}`,
        open: (onClose) => (
          <RemoveDialog
            call={adminVenueCalls.remove}
            change={{
              params: { id: venue.id },
              stale,
              done: () => ({ title: 'Venue deleted', description: venue.name }),
              failed: 'Failed to delete venue',
            }}
            title={`Delete ${venue.name}?`}
            onClose={onClose}
          >
            A venue that still has events can’t be deleted.
          </RemoveDialog>
        ),
      },
    ]}
  />
);
