import { type AdminWebhook, adminWebhookCalls } from '#domain/contracts/admin-webhooks.ts';
import { count } from '#web/lib/formatters/count.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { RemoveDialog } from '#web/ui/form/remove-dialog.tsx';
import { ANYWHERE, type Column, dated, states } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { Deliveries, deliveryStates, EditHook, RenewSecret } from './webhook-dialogs.tsx';

const stateOf = ({ isActive, stopped }: AdminWebhook) => {
  if (stopped === 'gone')
    return { tone: 'bad', words: 'Stopped', note: 'It answered that it is gone' } as const;
  if (stopped) return { tone: 'bad', words: 'Stopped', note: 'No good answer for days' } as const;
  return isActive ? ({ tone: 'good', words: 'Active' } as const) : { words: 'Off' };
};

const columns: readonly Column<AdminWebhook>[] = [
  { header: 'Address', sort: 'url', card: 'head', cell: ({ url }) => <span style={ANYWHERE}>{url}</span> },
  { header: 'Description', cell: ({ description }) => description || '-' },
  { header: 'Told of', cell: ({ types }) => (types.length > 2 ? `${types.length} types` : types.join(', ')) },
  states('Status', (hook) => [stateOf(hook)], { card: 'corner' }),
  { header: 'Waiting', align: 'end', cell: ({ waiting }) => count(waiting) },
  states('Last message', ({ lastStatus }) => (lastStatus ? [deliveryStates[lastStatus]] : [])),
  dated('Last tried', ({ lastTriedAt }) => (lastTriedAt ? moment(lastTriedAt) : '-')),
];

export const Tab = () => (
  <List
    call={adminWebhookCalls.list}
    title="Webhooks"
    empty={{
      title: 'No webhooks yet',
      text: 'Add the address of an organiser’s system: it is told of bookings, entries and events as they happen.',
    }}
    columns={columns}
    every={15_000}
    search="Search by address or description"
    create={{ words: 'Add Webhook', open: (onClose) => <EditHook hook={undefined} onClose={onClose} /> }}
    nameOf={({ url }) => url}
    actions={(hook) => [
      { words: 'Edit', open: (onClose) => <EditHook {...{ hook, onClose }} /> },
      {
        words: 'Messages',
        label: `Messages to ${hook.url}`,
        open: (onClose) => <Deliveries {...{ hook, onClose }} />,
      },
      {
        words: 'New secret',
        label: `New secret for ${hook.url}`,
        open: (onClose) => <RenewSecret {...{ hook, onClose }} />,
      },
      {
        words: 'Delete',
        open: (onClose) => (
          <RemoveDialog
            call={adminWebhookCalls.remove}
            change={{
              params: { id: hook.id },
              stale: [adminWebhookCalls.list],
              done: ({ message }) => ({ title: message, description: hook.url }),
              failed: 'Failed to delete webhook',
            }}
            title="Delete this webhook?"
            onClose={onClose}
          >
            It is told nothing more, and what was sent to it is forgotten.
          </RemoveDialog>
        ),
      },
    ]}
  />
);
