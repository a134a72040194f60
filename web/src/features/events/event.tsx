import { Link, useParams } from 'react-router-dom';
import type { Event } from '#domain/contracts/catalogue.ts';
import { sayLongDate, sayTime } from '#domain/kernel/zone.ts';
import { holdsTickets } from '#web/features/checkout/choice.ts';
import { WaitingList } from '#web/features/waiting/waiting-list.tsx';
import { isNoEvent, useEvent } from '#web/lib/api/event.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { serverNow } from '#web/lib/clock.ts';
import { ageRule } from '#web/lib/formatters/age.ts';
import { count } from '#web/lib/formatters/count.ts';
import { priceOf } from '#web/lib/formatters/money.ts';
import { moment, when } from '#web/lib/formatters/when.ts';
import { CategoryMark } from '#web/ui/badge.tsx';
import { From, ReachBar } from '#web/ui/bar.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ChipLink, Chips } from '#web/ui/chip.tsx';
import { Icon, type IconName } from '#web/ui/icons.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { EmptyState, Feature, Page, useTitle } from '#web/ui/page.tsx';
import { Poster } from '#web/ui/poster.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Ticking } from '#web/ui/stepper.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { stockOf } from './stock.ts';

const reasons: Record<Exclude<Event['notBookable'], null>, string> = {
  sold_out: 'Sold Out',
  started: 'This event has started',
  inactive: 'Not on sale',
  archived: 'No longer on',
  switched_off: 'Booking is paused',
};

const isOver = (event: Event): boolean => Date.parse(event.dayEndsAt) <= serverNow();

const useIsMine = (event: Event): boolean => {
  const { user } = useSession();
  return !!user && event.notBookable === 'sold_out' && holdsTickets(event.id, user.id);
};

const Book = ({ event, wide }: { event: Event; wide?: boolean }) => {
  const isMine = useIsMine(event);
  if (event.availableTickets <= 0 && !isMine)
    return (
      <Button size="large" disabled wide={wide}>
        Sold Out
      </Button>
    );
  if (event.notBookable && !isMine)
    return (
      <Button size="large" disabled wide={wide}>
        {isOver(event) ? 'This event is over' : reasons[event.notBookable]}
      </Button>
    );
  return (
    <ButtonLink to={`/booking/${event.id}`} kind="primary" size="large" wide={wide}>
      Book Now
    </ButtonLink>
  );
};

const Wait = ({ event }: { event: Event }) => {
  const isMine = useIsMine(event);
  return event.notBookable === 'sold_out' && !isMine ? <WaitingList id={event.id} /> : null;
};

const Fact = ({ icon, title, children }: { icon: IconName; title: string; children: string }) => (
  <Row gap="$16" alignItems="flex-start">
    <Box color="$lime" paddingTop={2}>
      <Icon name={icon} size={22} />
    </Box>
    <Box gap="$4" flex={1}>
      <Text strong>{title}</Text>
      <Text size="small" tone="dim">
        {children}
      </Text>
    </Box>
  </Row>
);

const gone = (event: Event, isMine: boolean): string => {
  if (isOver(event)) return 'This event is over';
  return isMine ? 'The last ones are held for you' : 'Every ticket is gone';
};
const left = (count: number): string => (count === 1 ? 'ticket left' : 'tickets left');

const Price = ({ event }: { event: Event }) => {
  const stock = stockOf(event);
  const isMine = useIsMine(event);
  return (
    <Box>
      <Row gap="$8" alignItems="baseline">
        <Heading render="span" size="headline" figures>
          {priceOf(event.price)}
        </Heading>
        <Text size="small" tone="dim">
          per ticket
        </Text>
      </Row>
      {event.notBookable && event.availableTickets > 0 ? null : (
        <Text size="small" tone={stock?.tone ?? 'dim'} figures>
          {event.availableTickets > 0 ? (
            <>
              <Ticking value={count(event.availableTickets)} /> <span>{left(event.availableTickets)}</span>
            </>
          ) : (
            gone(event, isMine)
          )}
        </Text>
      )}
    </Box>
  );
};

const LONG = 60;

const Facts = ({ event }: { event: Event }) => (
  <Box gap="$24">
    <Box gap="$12">
      <CategoryMark category={event.category} label={event.categoryName} />
      <Heading render="h1" size={event.title.length > LONG ? 'headline' : 'poster'}>
        {event.title}
      </Heading>
    </Box>
    <Panel gap="$20">
      {event.notBookable === 'archived' && !isOver(event) ? (
        <Fact icon="alert" title="This event is called off">
          Whoever had tickets was written to, and gets back all that they paid.
        </Fact>
      ) : null}
      {event.movedFrom.length > 0 && event.notBookable !== 'archived' && !isOver(event) ? (
        <Fact icon="alert" title="This event was moved">
          {`It was to be on ${event.movedFrom.map((at) => moment(at, event.zone)).join(', then on ')}. Tickets bought for then stay valid; if you have one and can’t come now, cancel it in your profile before the start, and you get everything back.`}
        </Fact>
      ) : null}
      <Fact icon="calendar" title={sayLongDate(event.date)}>
        {[
          event.doors && `Doors at ${sayTime(event.doors)}`,
          `Starts at ${sayTime(event.time)}`,
          event.lastEntry && `Last entry ${sayTime(event.lastEntry)}`,
          event.end && `Ends at ${sayTime(event.end)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Fact>
      <Fact icon="pin" title={`${event.venue}, ${event.city}`}>
        {event.location}
      </Fact>
      {event.access ? (
        <Fact icon="check" title="Access">
          {event.access}
        </Fact>
      ) : null}
      {event.organiser ? (
        <Fact icon="ticket" title="Organiser">
          {event.organiser}
        </Fact>
      ) : null}
      {event.minimumAge ? (
        <Fact icon="alert" title={ageRule(event) ?? ''}>
          On the day, and everybody who comes. Bring proof of your age.
        </Fact>
      ) : null}
      <Box borderTopWidth={1} borderColor="$line" paddingTop="$20" gap="$16">
        <Price event={event} />
        <From width="wide">
          <Book event={event} wide />
        </From>
        <Wait event={event} />
        {event.bookable ? (
          <Text size="small" tone="dim">
            Tickets are held for 15 minutes while you pay. Cancel a week or more ahead and get all of it back,
            up to 24 hours ahead 80%.
          </Text>
        ) : null}
      </Box>
    </Panel>
  </Box>
);

const Details = ({ event }: { event: Event }) => (
  <>
    <Feature
      picture={
        <Poster
          of={event}
          ratio="4 / 3"
          sizes="(min-width: 960px) 760px, 100vw"
          alt={`Poster of ${event.title}`}
          eager
          round
        />
      }
      facts={<Facts event={event} />}
      story={
        <Box gap="$32">
          <Box gap="$16">
            <Heading size="title">About this event</Heading>
            <RichText html={event.description} />
          </Box>
          {event.tags.length > 0 ? (
            <Chips label="Tags">
              {event.tags.map((tag) => (
                <ChipLink key={tag} to={`/events?search=${encodeURIComponent(tag)}`}>
                  {tag}
                </ChipLink>
              ))}
            </Chips>
          ) : null}
        </Box>
      }
    />
    <ReachBar>
      <Box flex={1}>
        <Heading render="span" size="lead" figures>
          {priceOf(event.price)}
        </Heading>
        <Text size="small" tone="dim">
          {when(event)}
        </Text>
      </Box>
      <Book event={event} />
    </ReachBar>
  </>
);

const Waiting = () => (
  <Loading label="Loading the event">
    <Feature
      picture={
        <div className="skeleton" style={{ aspectRatio: '4 / 3', borderRadius: 'var(--radius-large)' }} />
      }
      story={null}
      facts={
        <Box gap="$24">
          <Skeleton width="30%" />
          <Skeleton height={52} />
          <Skeleton height={52} width="70%" />
          <Skeleton height={360} />
        </Box>
      }
    />
  </Loading>
);

export const EventPage = () => {
  const { id = '' } = useParams();
  const { siteName } = useSite();
  const { data: event, error, isFetching, refetch } = useEvent(id);
  useTitle(event?.title ?? 'Event', siteName);
  const missing = !/^\d+$/.test(id) || isNoEvent(error);
  return (
    <Page gap="$24">
      <Link to="/events" className="footer-link" style={{ gap: 8, alignSelf: 'flex-start' }}>
        <Icon name="back" size={18} /> All events
      </Link>
      {event ? (
        <Details event={event} />
      ) : missing ? (
        <EmptyState
          level="h1"
          title="Event Not Found"
          action={
            <ButtonLink to="/events" kind="primary">
              Browse Events
            </ButtonLink>
          }
        >
          It may have been taken off the programme. If you have a ticket for it, your bookings say what
          happens next.
        </EmptyState>
      ) : error && !isFetching ? (
        <EmptyState
          level="h1"
          title="This event didn’t load"
          action={<TryAgain kind="primary" refetch={refetch} />}
        />
      ) : (
        <Waiting />
      )}
    </Page>
  );
};
