import { adminNewsletterCalls, type Subscriber } from '#domain/contracts/newsletter.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { Box } from '#web/ui/box.tsx';
import { Figures } from '#web/ui/figure.tsx';
import { deleting } from '#web/ui/form/remove-dialog.tsx';
import { type Column, email, instant, states } from '#web/ui/list/columns.tsx';
import { byStatus, List } from '#web/ui/list/list.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Text } from '#web/ui/text.tsx';

const active = { tone: 'good', words: 'Active' } as const;
const unsubscribed = { tone: 'bad', words: 'Unsubscribed' } as const;

const columns: readonly Column<Subscriber>[] = [
  email('Email', (subscriber) => subscriber.email, { sort: 'email', card: 'head' }),
  { header: 'Source', sort: 'source', cell: ({ source }) => source },
  instant('Subscribed', ({ subscribedAt }) => subscribedAt, { sort: 'subscribed' }),
  states('Status', ({ isActive }) => [isActive ? active : unsubscribed], { card: 'corner' }),
];

export const Tab = () => {
  const { data: stats, error, refetch } = useAnswer(adminNewsletterCalls.stats);
  return (
    <Box gap="$16">
      {error && !stats ? (
        <NotLoaded what="The figures" {...{ error, refetch }} />
      ) : (
        <Figures of={{ Total: stats?.total, Active: stats?.active, 'This Month': stats?.thisMonth }} />
      )}
      <Text tone="dim">
        Campaigns are handled via an external email provider: export the addresses, and write from there. Each
        comes with a link that unsubscribes it, for the letter and for its List-Unsubscribe header.
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
        search="Search by email or source"
        filters={[byStatus({ active: 'Active', unsubscribed: 'Unsubscribed' })]}
        actions={({ id, email: name, isActive }) =>
          isActive
            ? [
                deleting(adminNewsletterCalls.remove, {
                  ...{ id, name },
                  what: 'subscriber',
                  stale: [adminNewsletterCalls.list, adminNewsletterCalls.stats],
                  failed: 'Failed to delete newsletter subscriber',
                  text: 'The address gets no newsletter any more, and is erased for good.',
                }),
              ]
            : []
        }
      />
    </Box>
  );
};
