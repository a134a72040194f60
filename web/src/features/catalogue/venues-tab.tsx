import { type AdminVenue, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { count } from '#web/lib/formatters/count.ts';
import { deleting } from '#web/ui/form/remove-dialog.tsx';
import type { Column } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { EditVenue, stale } from './edit-venue.tsx';

const columns: readonly Column<AdminVenue>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'Address', cell: ({ address }) => address },
  { header: 'City', sort: 'city', cell: ({ city, cityId }) => `${city} (#${cityId})` },
  {
    header: 'Capacity',
    sort: 'capacity',
    align: 'end',
    cell: ({ capacity }) => count(capacity),
  },
];
export const Tab = () => (
  <List
    call={adminVenueCalls.list}
    exportCall={adminVenueCalls.exportCsv}
    title="Venues"
    empty={{ title: 'No venues found', text: 'Add the first one: each event needs a venue.' }}
    columns={columns}
    search="Search by name, address or city"
    create={{ words: 'Add Venue', open: (onClose) => <EditVenue venue={undefined} onClose={onClose} /> }}
    nameOf={({ name }) => name}
    actions={(venue) => [
      { words: 'Edit', open: (onClose) => <EditVenue {...{ venue, onClose }} /> },
      deleting(adminVenueCalls.remove, {
        ...{ ...venue, stale },
        what: 'venue',
        text: 'A venue that still has events can’t be deleted.',
      }),
    ]}
  />
);
