import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import type { Listed } from '../api/client.ts';
import { Row } from '../ui/box.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { Grid, Rail, Section } from '../ui/page.tsx';
import { CardSkeleton, CompactSkeleton, LineSkeletons, Loading } from '../ui/skeleton.tsx';

/** A link on to more, at the right of a section's title. */
export const More = ({ to, children }: { to: string; children: ReactNode }) => (
  <Row marginHorizontal={-16}>
    <ButtonLink to={to} kind="plain" size="small">
      {children}
      <Icon name="arrow" size={18} />
    </ButtonLink>
  </Row>
);

const some = (count: number, one: (key: number) => ReactNode) =>
  Array.from({ length: count }, (_, index) => one(index));

/** What stands where the events will, so that nothing moves when they come. */
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

/** A section of some events: skeletons while they come, nothing where there are none, and a way to try again. */
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
  /** How `children` lays the events out. */
  shape: keyof typeof waiting;
  /** How many there will be. */
  skeletons: number;
  children: (events: readonly EventSummary[]) => ReactNode;
}) => {
  if (query.data && query.data.items.length === 0) return null;
  return (
    <Section title={title} lead={lead} more={more}>
      {query.isError ? (
        <Notice
          tone="bad"
          title="The events didn’t load"
          action={
            <Button size="small" onClick={() => query.refetch()}>
              Try again
            </Button>
          }
        >
          Your bookings are not affected.
        </Notice>
      ) : query.data ? (
        children(query.data.items)
      ) : (
        <Loading label="Loading events">{waiting[shape](skeletons)}</Loading>
      )}
    </Section>
  );
};
