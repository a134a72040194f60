import type { EventSummary } from '#domain/contracts/catalogue.ts';
import { ageMark } from '#web/lib/formatters/age.ts';
import { priceOf } from '#web/lib/formatters/money.ts';
import { useSoon, when } from '#web/lib/formatters/when.ts';
import { CategoryMark } from '#web/ui/badge.tsx';
import { Box, Row } from '#web/ui/box.tsx';
import { CardFrame, CardLink } from '#web/ui/event-card.tsx';
import { Poster } from '#web/ui/poster.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { preview } from './preview.ts';
import { stockOf } from './stock.ts';

const When = ({ event }: { event: EventSummary }) => {
  const near = useSoon(event);
  return (
    <Text size="small" figures>
      {near ? (
        <Text size="small" strong tone="lime">
          {`${near}, `}
        </Text>
      ) : null}
      <span>{when(event)}</span>
    </Text>
  );
};

const Age = ({ event }: { event: EventSummary }) =>
  event.minimumAge ? (
    <Text size="small" strong tone="dim">
      {ageMark(event)}
    </Text>
  ) : null;

export const EventCard = ({ event, eager }: { event: EventSummary; eager?: boolean }) => {
  const stock = stockOf(event);
  return (
    <CardFrame>
      <Poster of={event} eager={eager} />
      <Box padding="$20" gap="$8" flexGrow={1}>
        <Row justifyContent="space-between" alignItems="center" gap="$12">
          <CategoryMark category={event.category} label={event.categoryName} />
          <Age event={event} />
        </Row>
        <Heading render="h3" size="lead">
          <CardLink to={`/events/${event.id}`}>{event.title}</CardLink>
        </Heading>
        <When event={event} />
        <Text size="small" tone="dim">
          {`${event.venue}, ${event.city}`}
        </Text>
        <Text size="small" tone="dim">
          {preview(event.description)}
        </Text>
        <Row marginTop="auto" paddingTop="$8" justifyContent="space-between" gap="$12">
          <Heading render="span" size="lead" figures>
            {priceOf(event.price)}
          </Heading>
          {stock ? (
            <Text size="small" strong tone={stock.tone}>
              {stock.words}
            </Text>
          ) : null}
        </Row>
      </Box>
    </CardFrame>
  );
};

export const CompactCard = ({ event }: { event: EventSummary }) => {
  const stock = stockOf(event);
  return (
    <CardFrame compact>
      <Poster of={event} ratio="1" sizes="100px" />
      <Box padding="$16" paddingLeft="$4" gap="$4" flex={1} minHeight={124} justifyContent="center">
        <Heading render="h3" size="body">
          <CardLink to={`/events/${event.id}`}>{event.title}</CardLink>
        </Heading>
        <When event={event} />
        <Text size="small" tone="dim">
          {`${event.venue}, ${event.city}`}
        </Text>
        <Row justifyContent="space-between" gap="$12">
          <Text size="small" strong figures>
            {stock?.tone === 'bad' ? stock.words : priceOf(event.price)}
          </Text>
          <Age event={event} />
        </Row>
      </Box>
    </CardFrame>
  );
};
