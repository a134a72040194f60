import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { isNoEvent, useEvent } from '#web/lib/api/event.ts';
import { useSite } from '#web/lib/api/site.ts';
import { forgetWayBack } from '#web/lib/way-back.ts';
import { Box } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { EmptyState, Page, Split, useTitle } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Purchase } from './purchase.tsx';

export const CheckoutPage = () => {
  const { eventId = '' } = useParams();
  const { data: event, error, isFetching, refetch } = useEvent(eventId);
  const { siteName } = useSite();
  useTitle(event ? `Checkout: ${event.title}` : 'Checkout', siteName);
  // Google's sign-in returns here without consuming the remembered page.
  useEffect(forgetWayBack, []);
  const missing = !/^\d+$/.test(eventId) || isNoEvent(error);
  const paying = useState(false);
  /** After Pay is pressed the checkout stays, even if sales close meanwhile, so that the outcome is shown. */
  const begun = useRef<number>(undefined);
  if (event && paying[0]) begun.current = event.id;
  const closed = event?.notBookable && event.notBookable !== 'sold_out' && begun.current !== event.id;
  return (
    <Page gap="$24">
      <Link
        to={event ? `/events/${event.id}` : '/events'}
        className="footer-link"
        style={{ gap: 8, alignSelf: 'flex-start' }}
      >
        <Icon name="back" size={18} />
        <span>{event ? 'Back to the event' : 'All events'}</span>
      </Link>
      {event && !closed ? (
        <Purchase event={event} paying={paying} />
      ) : event ? (
        <EmptyState
          level="h1"
          title="Booking is closed"
          action={
            <ButtonLink to="/events" kind="primary">
              Browse Events
            </ButtonLink>
          }
        >
          {event.notBookable === 'started'
            ? 'This event has started, and sales close at the start.'
            : 'Tickets for this event are not on sale at the moment.'}
        </EmptyState>
      ) : missing ? (
        <EmptyState
          level="h1"
          title="Event Not Found"
          action={
            <ButtonLink to="/events" kind="primary">
              Browse Events
            </ButtonLink>
          }
        />
      ) : error && !isFetching ? (
        <EmptyState
          level="h1"
          title="This event didn’t load"
          action={<TryAgain kind="primary" refetch={refetch} />}
        >
          Nothing was bought or charged.
        </EmptyState>
      ) : (
        <Loading label="Loading the checkout">
          <Split
            asideWidth={420}
            main={
              <Box gap="$32">
                <Skeleton width="50%" height={52} />
                <Skeleton height={180} />
                <Skeleton height={320} />
              </Box>
            }
            aside={<Skeleton height={480} />}
          />
        </Loading>
      )}
    </Page>
  );
};
