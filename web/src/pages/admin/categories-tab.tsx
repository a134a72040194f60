import {
  type AdminCategory,
  adminCategoryCalls,
  editCategoryRequest,
} from '#domain/contracts/admin-categories.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { useChange } from '../../kit/change.ts';
import type { Column } from '../../kit/columns.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { List } from '../../kit/list.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { check } from '../../words/form.ts';

const columns: readonly Column<AdminCategory>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'Emoji', cell: ({ emoji }) => emoji },
  { header: 'Events', sort: 'events', align: 'end', cell: ({ eventCount }) => eventCount },
];
/** What a changed category makes stale. */
const stale = [
  adminCategoryCalls.list,
  adminEventCalls.list,
  catalogueCalls.categories,
  catalogueCalls.events,
  ['event'],
];

const formOf = ({ name = '', emoji = '', description = '', revision }: Partial<AdminCategory> = {}) => ({
  ...{ name, emoji, description, revision },
});

/** The dialog that adds a category, or edits the given one. */
const EditCategory = ({
  category,
  onClose,
}: {
  category: AdminCategory | undefined;
  onClose: () => void;
}) => {
  const { id = 0, name } = category ?? {};
  const change = useChange(category ? adminCategoryCalls.edit : adminCategoryCalls.create, {
    params: { id },
    stale,
    done: (saved) => ({
      title: category ? 'Category updated' : 'Category created',
      description: `${saved.emoji} ${saved.name}`,
    }),
    failed: category ? 'Failed to update category' : 'Failed to create category',
  });
  return (
    <FormDialog
      title={category ? `Edit ${name}` : 'Add Category'}
      keptAs={`category ${id}`}
      blank={formOf(category)}
      reopen={formOf}
      check={(form) => check(editCategoryRequest, form)}
      submit={category ? 'Save' : 'Add Category'}
      busyText="Saving..."
      {...{ change, onClose }}
    >
      {({ field }) => (
        <>
          <Field label="Category name" maxLength={100} {...field('name')} />
          <Field label="Emoji" hint="One or two characters." {...field('emoji')} />
          <TextArea label="Description" optional maxLength={1000} {...field('description')} />
        </>
      )}
    </FormDialog>
  );
};

/** The categories tab: the kinds of events that people can browse. */
export const Tab = () => (
  <List
    call={adminCategoryCalls.list}
    exportCall={adminCategoryCalls.exportCsv}
    title="Categories"
    noun="categories"
    empty={{ title: 'No categories found', text: 'Add the first one: each event needs a category.' }}
    columns={columns}
    perPage={25}
    search="Search by name or description"
    create={{
      words: 'Add Category',
      open: (onClose) => <EditCategory category={undefined} onClose={onClose} />,
    }}
    actions={(category) => [
      {
        words: 'Edit',
        label: `Edit ${category.name}`,
        open: (onClose) => <EditCategory category={category} onClose={onClose} />,
      },
      {
        words: 'Delete',
        label: `Delete ${category.name}`,
        open: (onClose) => (
          <RemoveDialog
            call={adminCategoryCalls.remove}
            change={{
              params: { id: category.id },
              stale,
              done: () => ({ title: 'Category deleted', description: category.name }),
              failed: 'Failed to delete category',
            }}
            title={`Delete ${category.name}?`}
            onClose={onClose}
          >
            A category that still has events can’t be deleted.
          </RemoveDialog>
        ),
      },
    ]}
  />
);
