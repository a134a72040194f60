import type { UseQueryResult } from '@tanstack/react-query';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import type { Listed } from '../api/client.ts';
import { Rail } from '../ui/page.tsx';
import { EventCard } from './event-card.tsx';
import { More, Selection } from './selection.tsx';

/** A section with the featured events, which the caller asks for. */
export const Featured = ({
  query,
  title = 'Featured Experiences',
  more = 'View all featured',
}: {
  query: UseQueryResult<Listed<EventSummary>>;
  title?: string;
  /** The text of the link to all of them. */
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
