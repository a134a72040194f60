import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import type { Listed } from '../api/client.ts';
import { Row } from '../ui/box.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { CardSkeleton, Loading } from '../ui/skeleton.tsx';

/** A link on to more, at the right of a section's title. */
export const More = ({ to, children }: { to: string; children: ReactNode }) => (
  <Row marginHorizontal={-16}>
    <ButtonLink to={to} kind="plain" size="small">
      {children}
      <Icon name="arrow" size={18} />
    </ButtonLink>
  </Row>
);

/** A section of some events: skeletons while they come, nothing where there are none, and a way to try again. */
export const Selection = ({
  title,
  lead,
  more,
  query,
  skeletons,
  children,
}: {
  title: string;
  lead?: string;
  more?: ReactNode;
  query: UseQueryResult<Listed<EventSummary>>;
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
        <Loading label="Loading events">
          <div className="grid">
            {Array.from({ length: skeletons }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: place holders have nothing else to tell them apart.
              <CardSkeleton key={index} />
            ))}
          </div>
        </Loading>
      )}
    </Section>
  );
};
