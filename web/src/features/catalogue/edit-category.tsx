import {
  type AdminCategory,
  adminCategoryCalls,
  editCategoryRequest,
} from '#domain/contracts/admin-categories.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Field, TextArea } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';

export const stale = [
  adminCategoryCalls.list,
  adminEventCalls.list,
  catalogueCalls.categories,
  catalogueCalls.events,
  ['event'],
];

const formOf = ({ name = '', emoji = '', description = '', revision }: Partial<AdminCategory> = {}) => ({
  ...{ name, emoji, description, revision },
});

export const EditCategory = ({
  category,
  onClose,
}: {
  category: AdminCategory | undefined;
  onClose: () => void;
}) => {
  const { id = 0, name } = category ?? {};
  const change = useChange(category ? adminCategoryCalls.edit : adminCategoryCalls.create, {
    params: { id },
    draft: `category ${id}`,
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
