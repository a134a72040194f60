import { type AdminStats, overviewCalls } from '#domain/contracts/admin-overview.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { count } from '#web/lib/formatters/count.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { day } from '#web/lib/formatters/when.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Columns } from '#web/ui/chart.tsx';
import { Figures } from '#web/ui/figure.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading } from '#web/ui/text.tsx';
import { compareCounts, compareMoney, stretchBefore } from './compare.ts';
import { FailuresPanel } from './failures-panel.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { SetupPanel } from './setup-panel.tsx';

const shortcuts = {
  events: 'Manage Events',
  users: 'Manage Users',
  bookings: 'View Bookings',
  audit: 'Audit Log',
};

/** Undefined `month`: the server is older. */
const comparisonsOf = ({ month }: AdminStats) => {
  if (!month) return { users: null, bookings: null, month: null };
  const { joined, booked, taken } = month;
  const then = stretchBefore(month);
  return {
    users: { of: `${count(joined.now)} joined since the 1st`, with: compareCounts(joined, then) },
    bookings: { of: `${pounds(taken.now)} taken since the 1st`, with: compareMoney(taken, then) },
    month: { with: compareCounts(booked, then) },
  };
};

export const Tab = () => {
  const { data, error, refetch } = useAnswer(overviewCalls.stats);
  const failed = error && !data;
  const comparisons = data && comparisonsOf(data);
  const days = data?.bookings.perDay.map(({ date, bookings, revenue }) => ({
    name: day(date),
    value: bookings,
    words: `${count(bookings)} ${bookings === 1 ? 'booking' : 'bookings'}, ${pounds(revenue)}`,
  }));
  return (
    <Box gap="$16">
      {failed ? (
        <NotLoaded what="The figures" {...{ error, refetch }} />
      ) : (
        <Figures
          of={{
            'Total Users': data && count(data.users.total),
            'Total Events': data && count(data.events.total),
            'Total Bookings': data && count(data.bookings.total),
            'This Month': data && count(data.bookings.thisMonth),
          }}
          notes={{
            'Total Users': data && `${count(data.users.active)} active`,
            'Total Events': data && `${count(data.events.featured)} featured`,
            'Total Bookings': data && `${pounds(data.bookings.revenue)} revenue`,
            'This Month': data && 'bookings',
          }}
          comparisons={{
            'Total Users': comparisons?.users,
            'Total Bookings': comparisons?.bookings,
            'This Month': comparisons?.month,
          }}
        />
      )}
      <FailuresPanel />
      <SetupPanel />
      {failed ? null : (
        <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
          <Heading size="title">Bookings in the last 30 days</Heading>
          {days ? <Columns label="Bookings by day" bars={days} /> : <Skeleton height={164} />}
        </Panel>
      )}
      <RecentActivity />
      <Panel padding="$20" gap="$12" $md={{ padding: '$24' }}>
        <Heading size="title">Quick Actions</Heading>
        <Row gap="$8" flexWrap="wrap">
          {Object.entries(shortcuts).map(([tab, words]) => (
            <ButtonLink key={tab} kind="outline" to={`/admin?tab=${tab}`}>
              {words}
            </ButtonLink>
          ))}
        </Row>
      </Panel>
    </Box>
  );
};
