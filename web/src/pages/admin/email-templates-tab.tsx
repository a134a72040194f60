import { type AdminEmailTemplate, adminEmailTemplateCalls } from '#domain/contracts/admin-email-templates.ts';
import { type Column, dated, states } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { moment } from '../../words/when.ts';
import { EditEmailTemplate, RemoveEmailTemplate, removalOf, SendTest } from './email-template-dialogs.tsx';

const custom = { words: 'Custom' } as const;
const active = { tone: 'good', words: 'Active' } as const;
const inactive = { tone: 'bad', words: 'Inactive' } as const;

const columns: readonly Column<AdminEmailTemplate>[] = [
  { header: 'Name', sort: 'name', card: 'head', cell: ({ name }) => name },
  { header: 'Subject', cell: ({ subject }) => subject },
  { header: 'Description', cell: ({ description }) => description || 'No description' },
  states(
    'Status',
    ({ isActive, isCustom }) => [isActive ? active : inactive, ...(isCustom ? [custom] : [])],
    {
      card: 'corner',
    },
  ),
  dated('Last updated', ({ updatedAt }) => (updatedAt ? moment(updatedAt) : '-'), { sort: 'updated' }),
];

/** The e-mail templates tab: what the site's mails say. */
export const Tab = () => (
  <List
    call={adminEmailTemplateCalls.list}
    title="E-mail templates"
    noun="templates"
    empty={{ title: 'No templates found' }}
    columns={columns}
    perPage={25}
    search="Search by name, subject or description"
    filters={[
      {
        name: 'status',
        label: 'Status',
        all: 'All statuses',
        options: { active: 'Active', inactive: 'Inactive' },
      },
    ]}
    create={{
      words: 'Add Template',
      open: (onClose) => <EditEmailTemplate template={undefined} onClose={onClose} />,
    }}
    actions={(template) => [
      {
        words: 'Edit',
        label: `Edit ${template.name}`,
        open: (onClose) => <EditEmailTemplate {...{ template, onClose }} />,
      },
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
