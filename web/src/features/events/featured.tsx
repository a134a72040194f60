import type { UseQueryResult } from '@tanstack/react-query';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import type { Listed } from '#web/lib/api/client.ts';
import { Rail } from '#web/ui/page.tsx';
import { EventCard } from './event-card.tsx';
import { More, Selection } from './selection.tsx';

export const Featured = ({
  query,
  title = 'Featured Experiences',
  more = 'View all featured',
}: {
  query: UseQueryResult<Listed<EventSummary>>;
  title?: string;
  more?: string;
}) => (
  <Selection
    title={title}
    more={<More to="/events?featured=true">{more}</More>}
    query={query}
    shape="rail"
    skeletons={6}
  >
    {(events) => (
      <Rail label={title}>
        {events.map((event) => (
          <EventCard key={event.id} event={event} />
        ))}
      </Rail>
    )}
  </Selection>
);
