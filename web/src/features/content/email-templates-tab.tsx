import { type AdminEmailTemplate, adminEmailTemplateCalls } from '#domain/contracts/admin-email-templates.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { activity, type Column, dated, states } from '#web/ui/list/columns.tsx';
import { byStatus, List } from '#web/ui/list/list.tsx';
import { EditEmailTemplate, RemoveEmailTemplate, removalOf, SendTest } from './email-template-dialogs.tsx';

const custom = { words: 'Custom' } as const;

const columns: readonly Column<AdminEmailTemplate>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'Subject', cell: ({ subject }) => subject },
  { header: 'Description', cell: ({ description }) => description || 'No description' },
  states('Status', ({ isActive, isCustom }) => [activity(isActive), ...(isCustom ? [custom] : [])], {
    card: 'corner',
  }),
  dated('Last updated', ({ updatedAt }) => (updatedAt ? moment(updatedAt) : '-'), { sort: 'updated' }),
];

export const Tab = () => (
  <List
    call={adminEmailTemplateCalls.list}
    title="Email templates"
    noun="templates"
    empty={{ title: 'No templates found' }}
    columns={columns}
    search="Search by name, subject or description"
    filters={[byStatus({ active: 'Active', inactive: 'Inactive' })]}
    create={{
      words: 'Add Template',
      open: (onClose) => <EditEmailTemplate template={undefined} onClose={onClose} />,
    }}
    nameOf={({ name }) => name}
    actions={(template) => [
      { words: 'Edit', open: (onClose) => <EditEmailTemplate {...{ template, onClose }} /> },
      {
        words: 'Test',
        label: `Send a test of ${template.name}`,
        open: (onClose) => <SendTest {...{ template, onClose }} />,
      },
      ...(template.isCustom
        ? [
            {
              words: removalOf(template),
              label: `${removalOf(template)}: ${template.name}`,
              open: (onClose: () => void) => <RemoveEmailTemplate {...{ template, onClose }} />,
            },
          ]
        : []),
    ]}
  />
);
