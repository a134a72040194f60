import { type AdminCategory, adminCategoryCalls } from '#domain/contracts/admin-categories.ts';
import { deleting } from '#web/ui/form/remove-dialog.tsx';
import type { Column } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { EditCategory, stale } from './edit-category.tsx';

const columns: readonly Column<AdminCategory>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'Emoji', cell: ({ emoji }) => emoji },
  { header: 'Events', sort: 'events', align: 'end', cell: ({ eventCount }) => eventCount },
];
export const Tab = () => (
  <List
    call={adminCategoryCalls.list}
    exportCall={adminCategoryCalls.exportCsv}
    title="Categories"
    empty={{ title: 'No categories found', text: 'Add the first one: each event needs a category.' }}
    columns={columns}
    search="Search by name or description"
    create={{
      words: 'Add Category',
      open: (onClose) => <EditCategory category={undefined} onClose={onClose} />,
    }}
    nameOf={({ name }) => name}
    actions={(category) => [
      { words: 'Edit', open: (onClose) => <EditCategory {...{ category, onClose }} /> },
      deleting(adminCategoryCalls.remove, {
        ...{ ...category, stale },
        what: 'category',
        text: 'A category that still has events can’t be deleted.',
      }),
    ]}
  />
);
