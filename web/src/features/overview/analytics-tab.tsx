import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { count } from '#web/lib/formatters/count.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Bars } from '#web/ui/chart.tsx';
import { Figures } from '#web/ui/figure.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { exceeds, percentOf } from './share.ts';

/** Percent. */
const ENOUGH = { birthdays: 80, preferences: 70 };

const people = (number: number): string => `${count(number)} ${number === 1 ? 'person' : 'people'}`;
const barOf = (name: string, value: number) => ({ name, value, words: people(value) });

const Insight = ({ what, share, enough }: { what: string; share: number; enough: boolean }) => (
  <Row justifyContent="space-between" gap="$12" flexWrap="wrap">
    <Text>{`${share}% of users gave their ${what}.`}</Text>
    <Badge tone={enough ? 'good' : 'warn'}>{enough ? 'Good' : 'Could be better'}</Badge>
  </Row>
);

export const Tab = () => {
  const { data, error, refetch } = useAnswer(overviewCalls.analytics);
  if (error && !data) return <NotLoaded what="The analytics" {...{ error, refetch }} />;
  const { totalUsers = 0, usersWithDOB = 0, usersWithPreferences = 0 } = data ?? {};
  const birthdays = percentOf(usersWithDOB, totalUsers);
  const preferences = percentOf(usersWithPreferences, totalUsers);
  return (
    <Box gap="$16">
      <Figures
        of={{
          'Total users': data && count(data.totalUsers),
          'With date of birth': data && count(data.usersWithDOB),
          'With preferences': data && count(data.usersWithPreferences),
          'Average age': data && (data.averageAge ?? '-'),
        }}
        notes={{
          'With date of birth': data && `${birthdays}% of all`,
          'With preferences': data && `${preferences}% of all`,
          'Average age': data && 'years',
        }}
      />
      <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
        <Heading size="title">Age groups</Heading>
        <Bars
          label="People by age"
          bars={data && Object.entries(data.ageGroups).map(([group, value]) => barOf(group, value))}
          height={220}
        />
      </Panel>
      <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
        <Heading size="title">Top categories</Heading>
        {data?.topCategories.length === 0 ? <Text tone="dim">Nobody has chosen any yet.</Text> : null}
        <Bars
          label="People by favourite category"
          bars={data?.topCategories.map(({ category, count: value }) => barOf(category, value))}
          height={160}
        />
      </Panel>
      <Panel padding="$20" gap="$12" $md={{ padding: '$24' }}>
        <Heading size="title">Data quality</Heading>
        <Insight
          what="date of birth"
          share={birthdays}
          enough={exceeds(usersWithDOB, totalUsers, ENOUGH.birthdays)}
        />
        <Insight
          what="preferences"
          share={preferences}
          enough={exceeds(usersWithPreferences, totalUsers, ENOUGH.preferences)}
        />
      </Panel>
    </Box>
  );
};
