import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import type { Listed } from '#web/lib/api/client.ts';
import { Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Grid, Rail, Section } from '#web/ui/page.tsx';
import { CardSkeleton, CompactSkeleton, LineSkeletons, Loading } from '#web/ui/skeleton.tsx';

export const More = ({ to, children }: { to: string; children: ReactNode }) => (
  <Row marginHorizontal={-16}>
    <ButtonLink to={to} kind="plain" size="small">
      <span>{children}</span>
      <Icon name="arrow" size={18} />
    </ButtonLink>
  </Row>
);

const some = (count: number, one: (key: number) => ReactNode) =>
  Array.from({ length: count }, (_, index) => one(index));

/** Same size as the events, so that the layout does not shift. */
const waiting = {
  rail: (count: number) => (
    <Rail>
      {some(count, (key) => (
        <CardSkeleton key={key} />
      ))}
    </Rail>
  ),
  compact: (count: number) => (
    <Grid min={320} gap={16}>
      {some(count, (key) => (
        <CompactSkeleton key={key} />
      ))}
    </Grid>
  ),
  lines: (count: number) => <LineSkeletons count={count} />,
};

export const EventsFailed = ({ retry, alert }: { retry: () => Promise<unknown>; alert?: boolean }) => (
  <Notice
    tone="bad"
    alert={alert}
    title="The events didn’t load"
    action={<TryAgain size="small" refetch={retry} />}
  >
    Your bookings are not affected.
  </Notice>
);

export const Selection = ({
  title,
  lead,
  more,
  query,
  shape,
  skeletons,
  children,
}: {
  title: string;
  lead?: string;
  more?: ReactNode;
  query: UseQueryResult<Listed<EventSummary>>;
  shape: keyof typeof waiting;
  skeletons: number;
  children: (events: readonly EventSummary[]) => ReactNode;
}) => {
  if (query.data && query.data.items.length === 0) return null;
  return (
    <Section title={title} lead={lead} more={more}>
      {query.data ? (
        children(query.data.items)
      ) : query.isError ? (
        <EventsFailed retry={query.refetch} />
      ) : (
        <Loading label="Loading events">{waiting[shape](skeletons)}</Loading>
      )}
    </Section>
  );
};
