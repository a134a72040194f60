import {
  type AdminSponsor,
  adminSponsorCalls,
  editSponsorRequest,
  MOST_SPONSORS,
  sponsorCalls,
} from '#domain/contracts/sponsors.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { ImagePicker } from '#web/ui/form/image-picker.tsx';
import { deleting } from '#web/ui/form/remove-dialog.tsx';
import { ANYWHERE, type Column } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';

const stale = [adminSponsorCalls.list, sponsorCalls.list];

const columns: readonly Column<AdminSponsor>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'Link', sort: 'link', cell: ({ link }) => <span style={ANYWHERE}>{link}</span> },
  { header: 'Order', sort: 'order', align: 'end', cell: ({ order }) => order },
];

const formOf = ({ name = '', link = '', logo = '', order = 1, revision }: Partial<AdminSponsor> = {}) => ({
  ...{ name, link, logo, revision },
  order: String(order),
});

const EditSponsor = ({ sponsor, onClose }: { sponsor: AdminSponsor | undefined; onClose: () => void }) => {
  const change = useChange(sponsor ? adminSponsorCalls.edit : adminSponsorCalls.create, {
    params: { id: sponsor?.id ?? '' },
    draft: `sponsor ${sponsor?.id}`,
    stale,
    done: ({ name }) => ({ title: sponsor ? 'Sponsor updated' : 'Sponsor added', description: name }),
    failed: sponsor ? 'Failed to update sponsor' : 'Failed to add sponsor',
  });
  return (
    <FormDialog
      title={sponsor ? `Edit ${sponsor.name}` : 'Add Sponsor'}
      blank={formOf(sponsor)}
      reopen={formOf}
      check={(form) =>
        check(editSponsorRequest, { ...form, order: form.order === '' ? undefined : Number(form.order) })
      }
      submit={sponsor ? 'Save' : 'Add Sponsor'}
      busyText="Saving..."
      {...{ change, onClose }}
    >
      {({ field, change: set }) => (
        <>
          <Field label="Name" maxLength={80} {...field('name')} />
          <Field
            label="Link"
            type="url"
            inputMode="url"
            hint="Such as https://example.com"
            {...field('link')}
          />
          <ImagePicker
            label="Logo’s address"
            type="logo"
            required
            {...field('logo')}
            onPick={(logo) => set({ logo })}
          />
          <Field
            label="Order"
            type="number"
            inputMode="numeric"
            step="1"
            min="0"
            max="9999"
            hint={`The lowest comes first. The footer shows the first ${MOST_SPONSORS}, on a light ground.`}
            {...field('order')}
          />
        </>
      )}
    </FormDialog>
  );
};

export const Tab = () => (
  <List
    call={adminSponsorCalls.list}
    exportCall={adminSponsorCalls.exportCsv}
    title="Sponsors"
    empty={{ title: 'No sponsors yet', text: 'The footer of every page shows their logos.' }}
    columns={columns}
    search="Search by name or link"
    create={{
      words: 'Add Sponsor',
      open: (onClose) => <EditSponsor sponsor={undefined} onClose={onClose} />,
    }}
    nameOf={({ name }) => name}
    actions={(sponsor) => [
      { words: 'Edit', open: (onClose) => <EditSponsor {...{ sponsor, onClose }} /> },
      deleting(adminSponsorCalls.remove, {
        ...{ ...sponsor, stale },
        what: 'sponsor',
        text: 'Its logo goes from the footer, and stays in the gallery.',
      }),
    ]}
  />
);
