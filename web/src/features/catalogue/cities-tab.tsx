import { type AdminCity, adminCityCalls } from '#domain/contracts/admin-places.ts';
import { deleting } from '#web/ui/form/remove-dialog.tsx';
import type { Column } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { EditCity, stale } from './edit-city.tsx';

const columns: readonly Column<AdminCity>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'State / province', sort: 'state', cell: ({ state }) => state || 'N/A' },
  { header: 'Country', sort: 'country', cell: ({ country }) => country },
  { header: 'Time zone', cell: ({ zone }) => zone },
];
export const Tab = () => (
  <List
    call={adminCityCalls.list}
    exportCall={adminCityCalls.exportCsv}
    title="Cities"
    empty={{ title: 'No cities found', text: 'Add the first one: venues need a city.' }}
    columns={columns}
    search="Search by name, state or country"
    create={{ words: 'Add City', open: (onClose) => <EditCity city={undefined} onClose={onClose} /> }}
    nameOf={({ name }) => name}
    actions={(city) => [
      { words: 'Edit', open: (onClose) => <EditCity {...{ city, onClose }} /> },
      deleting(adminCityCalls.remove, {
        ...{ ...city, stale },
        what: 'city',
        text: 'A city that still has venues can’t be deleted.',
      }),
    ]}
  />
);
