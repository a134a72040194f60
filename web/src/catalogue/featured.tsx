import type { UseQueryResult } from '@tanstack/react-query';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import type { Listed } from '../api/client.ts';
import { Rail } from '../ui/page.tsx';
import { EventCard } from './event-card.tsx';
import { More, Selection } from './selection.tsx';

/** "Featured Experiences": what the editors chose, as the caller has asked for it. */
export const Featured = ({ query }: { query: UseQueryResult<Listed<EventSummary>> }) => (
  <Selection
    title="Featured Experiences"
    more={<More to="/events?featured=true">View all featured</More>}
    query={query}
    shape="rail"
    skeletons={6}
  >
    {(events) => (
      <Rail label="Featured experiences">
        {events.map((event) => (
          <EventCard key={event.id} event={event} />
        ))}
      </Rail>
    )}
  </Selection>
);
