import { Link } from 'react-router-dom';
import type { EventSummary } from '#domain/contracts/catalogue.ts';
import { sayTime } from '#domain/kernel/zone.ts';
import { priceOf } from '#web/lib/formatters/money.ts';
import { day, useSoon } from '#web/lib/formatters/when.ts';
import { hueOf } from '#web/ui/badge.tsx';
import { Box } from '#web/ui/box.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { stockOf } from './stock.ts';

const When = ({ event }: { event: EventSummary }) => {
  const near = useSoon(event);
  return (
    <div className="programme-when">
      <Text strong tone={near ? 'lime' : 'paper'} figures>
        {near ?? day(event.date)}
      </Text>
      <Text size="small" tone="dim" figures>
        {sayTime(event.time)}
      </Text>
    </div>
  );
};

export const Programme = ({ events }: { events: readonly EventSummary[] }) => (
  <ol className="programme">
    {events.map((event) => {
      const stock = stockOf(event);
      return (
        <li key={event.id}>
          <When event={event} />
          <Box gap="$4">
            <Heading render="h3" size="lead">
              <Link to={`/events/${event.id}`}>{event.title}</Link>
            </Heading>
            <Text size="small" color={hueOf(event.category)}>
              {event.categoryName}
            </Text>
            <div className="below-tablet">
              <Text size="small" tone="dim">
                {`${event.venue}, ${event.city}`}
              </Text>
            </div>
          </Box>
          <div className="from-tablet">
            <Box>
              <Text size="small">{event.venue}</Text>
              <Text size="small" tone="dim">
                {event.city}
              </Text>
            </Box>
          </div>
          <Box alignItems="flex-end">
            <Heading render="span" size="lead" figures>
              {priceOf(event.price)}
            </Heading>
            {stock ? (
              <Text size="small" strong tone={stock.tone} whiteSpace="nowrap">
                {stock.words}
              </Text>
            ) : null}
          </Box>
        </li>
      );
    })}
  </ol>
);
