import { Link } from 'react-router-dom';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import { Poster } from '#web/ui/poster.tsx';

export const Fan = ({ events }: { events: readonly EventSummary[] | undefined }) =>
  events?.length === 0 ? null : (
    <div className="fan">
      {events?.slice(0, 3).map((event) => (
        <Link key={event.id} to={`/events/${event.id}`}>
          <span className="unseen">{event.title}</span>
          <Poster of={event} ratio="1" sizes="(min-width: 960px) 340px, 210px" eager />
        </Link>
      ))}
    </div>
  );
