import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { EventCard } from '#web/features/events/event-card.tsx';
import { Featured } from '#web/features/events/featured.tsx';
import { EventsFailed } from '#web/features/events/selection.tsx';
import { Newsletter } from '#web/features/newsletter/newsletter.tsx';
import { useCategories, useCategoryName, useCities, useEvents } from '#web/lib/api/catalogue.ts';
import { useSite } from '#web/lib/api/site.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Chip, Chips } from '#web/ui/chip.tsx';
import { EmptyState, Grid, Page, useTitle } from '#web/ui/page.tsx';
import { CardSkeleton, Loading } from '#web/ui/skeleton.tsx';
import { Heading, Text, Unseen } from '#web/ui/text.tsx';
import { Controls } from './controls.tsx';
import {
  countLine,
  type Filters,
  filtersOf,
  isFiltered,
  nearLine,
  paramsOf,
  withCategory,
  withCity,
} from './filters.ts';
import { useFoundEvents } from './use-found-events.ts';
import { useLedOn } from './use-led-on.ts';
import { useShown } from './use-shown.ts';

const SKELETONS = 9;
const waiting = (
  <Loading label="Loading events">
    <Grid min={300}>
      {Array.from({ length: SKELETONS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: place holders have nothing else to tell them apart.
        <CardSkeleton key={index} />
      ))}
    </Grid>
  </Loading>
);

export const EventsPage = () => {
  const [params, setParams] = useSearchParams();
  const cities = useCities();
  const categories = useCategories();
  const filters = withCategory(withCity(filtersOf(params), cities), categories);
  const filtered = isFiltered(filters);
  const { siteName, eventsPerPage, featuredEventsLimit } = useSite();
  const nameOf = useCategoryName();
  const asked = {
    category: filters.category || undefined,
    city: filters.city || undefined,
    search: filters.search || undefined,
    featured: filters.featured || undefined,
    sort: filters.sort === 'date' ? undefined : filters.sort,
  };
  const [shown, show] = useShown(eventsPerPage);
  const found = useFoundEvents(asked, shown);
  const featured = useEvents({ featured: true, limit: featuredEventsLimit }, !filtered);
  // Read the current address: `filters` is outdated when two changes follow quickly.
  const change = (next: Partial<Filters>) =>
    setParams(paramsOf({ ...filtersOf(new URLSearchParams(window.location.search)), ...next }));
  const counted = useRef<HTMLDivElement>(null);
  const clear = () => {
    change({ category: '', city: '', search: '', featured: false });
    counted.current?.focus({ preventScroll: true });
  };

  const categoryName = filters.category ? nameOf(filters.category) : '';
  const title = filters.featured
    ? 'Featured Events'
    : filters.category
      ? `${categoryName} Events`
      : 'All Events';
  useTitle(title, siteName);
  const { items: events, total = 0, hasMore } = found.data ?? {};
  const [grid, leadOn] = useLedOn(events?.length ?? 0);

  const bothFailed = !filtered && found.failed && featured.isError;
  const retry = () => Promise.all([found.refetch(), bothFailed && featured.refetch()]);
  const failed = found.failed ? <EventsFailed retry={retry} alert /> : null;
  const more = hasMore ? (
    <Row justifyContent="center">
      <Button
        kind="outline"
        busy={found.isLoading}
        busyText="Loading..."
        onClick={() => {
          leadOn();
          show((events?.length ?? 0) + eventsPerPage);
        }}
      >
        Show more
      </Button>
    </Row>
  ) : null;
  const viewAll = (
    <Button kind="primary" onClick={clear}>
      View All Events
    </Button>
  );
  const results = !events ? (
    (failed ?? waiting)
  ) : events.length === 0 && !filtered ? (
    <>
      <EmptyState title="No events found">
        The next nights are still being written. Have a look again soon.
      </EmptyState>
      <Newsletter source="events_page" />
    </>
  ) : events.length === 0 ? (
    <EmptyState title="No events found" action={viewAll}>
      Try another city, a shorter search, or have a look at everything that is on.
    </EmptyState>
  ) : (
    <>
      <Grid min={300} ref={grid}>
        {events.map((event, index) => (
          <EventCard key={event.id} event={event} eager={index < 3} />
        ))}
      </Grid>
      {failed ?? more}
      {found.isNear ? <Row justifyContent="center">{viewAll}</Row> : null}
    </>
  );

  return (
    <Page gap="$32">
      <Heading render="h1" size="poster">
        {title}
      </Heading>
      <Box gap="$16">
        <Controls filters={filters} cities={cities} onChange={change} />
        <Chips label="Categories">
          <Chip on={!filters.category} onClick={() => change({ category: '' })}>
            All Events
          </Chip>
          {categories.map((category) => (
            <Chip
              key={category.slug}
              on={filters.category === category.slug}
              onClick={() => change({ category: category.slug })}
            >
              <span aria-hidden="true">{category.emoji}</span> <span>{nameOf(category.slug)}</span>
            </Chip>
          ))}
          {filtered ? (
            <Button kind="plain" size="small" onClick={clear}>
              Clear Filter
            </Button>
          ) : null}
        </Chips>
      </Box>
      {filtered || bothFailed ? null : (
        <Featured title="Featured Events" more="View All Featured" query={featured} />
      )}
      <Box gap="$24">
        <Box gap="$8">
          {filtered && !found.isNear ? (
            <Unseen render="h2">Events</Unseen>
          ) : (
            <Heading size="headline">{found.isNear ? 'No events found' : 'All Events'}</Heading>
          )}
          <Box ref={counted} tabIndex={-1} aria-live="polite" minHeight={25} gap="$4">
            {events ? (
              <Text tone="dim">{countLine(found.isNear ? 0 : total, filters, categoryName)}</Text>
            ) : null}
            {found.isNear ? <Text>{nearLine(total)}</Text> : null}
          </Box>
        </Box>
        {results}
      </Box>
    </Page>
  );
};
