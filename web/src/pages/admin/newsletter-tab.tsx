import { adminNewsletterCalls, type Subscriber } from '#domain/contracts/newsletter.ts';
import { useAnswer } from '../../api/answers.ts';
import { type Column, email, instant, states } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { Box } from '../../ui/box.tsx';
import { Figures } from '../../ui/figure.tsx';
import { Text } from '../../ui/text.tsx';

const active = { tone: 'good', words: 'Active' } as const;
const unsubscribed = { tone: 'bad', words: 'Unsubscribed' } as const;

const columns: readonly Column<Subscriber>[] = [
  email('Email', (subscriber) => subscriber.email, { sort: 'email', card: 'head' }),
  { header: 'Source', sort: 'source', cell: ({ source }) => source },
  instant('Subscribed', ({ subscribedAt }) => subscribedAt, { sort: 'subscribed' }),
  states('Status', ({ isActive }) => [isActive ? active : unsubscribed], { card: 'corner' }),
];

/** The newsletter tab: figures, and the addresses. */
export const Tab = () => {
  const { data: stats } = useAnswer(adminNewsletterCalls.stats);
  return (
    <Box gap="$16">
      <Figures of={{ Total: stats?.total, Active: stats?.active, 'This Month': stats?.thisMonth }} />
      <Text tone="dim">
        Campaigns are handled via an external e-mail provider: export the addresses, and write from there.
      </Text>
      <List
        call={adminNewsletterCalls.list}
        exportCall={adminNewsletterCalls.exportCsv}
        exportWords="Export CSV"
        exportOpens
        title="Newsletter subscribers"
        noun="subscribers"
        empty={{ title: 'No subscribers yet', text: 'People subscribe at the foot of the home page.' }}
        columns={columns}
        perPage={25}
        search="Search by email or source"
        filters={[
          {
            name: 'status',
            label: 'Status',
            all: 'All statuses',
            options: { active: 'Active', unsubscribed: 'Unsubscribed' },
          },
        ]}
        actions={({ id, email: address, isActive }) =>
          isActive
            ? [
                {
                  words: 'Delete',
                  label: `Delete ${address}`,
                  open: (onClose) => (
                    <RemoveDialog
                      call={adminNewsletterCalls.remove}
                      change={{
                        params: { id },
                        stale: [adminNewsletterCalls.list, adminNewsletterCalls.stats],
                        done: () => ({ title: 'Subscriber deleted', description: address }),
                        failed: 'Failed to delete newsletter subscriber',
                      }}
                      title={`Delete ${address}?`}
                      onClose={onClose}
                    >
                      The address gets no newsletter any more, and is shown as unsubscribed.
                    </RemoveDialog>
                  ),
                },
              ]
            : []
        }
      />
    </Box>
  );
};
