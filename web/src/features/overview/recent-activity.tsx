import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { Panel, Row } from '#web/ui/box.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { ActionBadge, entityOf } from './audit-tab.tsx';

export const RecentActivity = () => {
  const { data, error, refetch } = useAnswer(overviewCalls.audit, { query: { limit: 5 } });
  return (
    <Panel padding="$20" gap="$12" $md={{ padding: '$24' }}>
      <Heading size="title">Recent Activity</Heading>
      {data ? (
        <ul className="plain-rows">
          {data.map((entry) => (
            <li key={entry.id}>
              <Row justifyContent="space-between" gap="$12" flexWrap="wrap" paddingVertical="$8">
                <Row gap="$12" flexShrink={1}>
                  <ActionBadge action={entry.action} />
                  <Text>{`${entityOf(entry)}: ${entry.details}`}</Text>
                </Row>
                <Text size="small" tone="dim" figures>
                  {moment(entry.createdAt)}
                </Text>
              </Row>
            </li>
          ))}
        </ul>
      ) : error ? (
        <NotLoaded what="The recent activity" {...{ error, refetch }} />
      ) : (
        <Skeleton height={180} />
      )}
    </Panel>
  );
};
