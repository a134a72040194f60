import { NextBooking } from '#web/features/bookings/next-booking.tsx';
import { CompactCard } from '#web/features/events/event-card.tsx';
import { Fan } from '#web/features/events/fan.tsx';
import { Featured } from '#web/features/events/featured.tsx';
import { Moods } from '#web/features/events/moods.tsx';
import { More, Selection } from '#web/features/events/selection.tsx';
import { Newsletter } from '#web/features/newsletter/newsletter.tsx';
import { useEvents } from '#web/lib/api/catalogue.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { HeroImage } from '#web/ui/hero-image.tsx';
import { Grid, Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

export const HomePage = () => {
  const { siteName, siteTagline, heroImageUrl, featuredEventsLimit } = useSite();
  const { user } = useSession();
  const featured = useEvents({ featured: true, limit: featuredEventsLimit });
  const concerts = useEvents({ category: 'concerts', limit: 4 });
  useTitle(undefined, siteName);
  return (
    <Page gap="$64">
      <div className="stage" style={{ minHeight: 0 }}>
        <HeroImage url={heroImageUrl} />
        <Box gap="$24" paddingVertical="$16" $md={{ paddingVertical: '$32' }}>
          <Text strong tone="lime">
            {`Good to see you, ${user?.firstName ?? ''}`}
          </Text>
          <Heading render="h1" size="marquee">
            {siteTagline}
          </Heading>
          <Row gap="$12" flexWrap="wrap">
            <ButtonLink to="/events" kind="primary" size="large">
              Browse Events
            </ButtonLink>
            <ButtonLink to="/about" kind="outline" size="large">
              {`About ${siteName}`}
            </ButtonLink>
          </Row>
        </Box>
        <NextBooking otherwise={<Fan events={featured.data?.items} />} />
      </div>
      <Moods />
      <Featured query={featured} />
      <Selection
        title="Live Concerts"
        more={<More to="/events?category=concerts">All concerts</More>}
        query={concerts}
        shape="compact"
        skeletons={4}
      >
        {(events) => (
          <Grid min={320} gap={16}>
            {events.map((event) => (
              <CompactCard key={event.id} event={event} />
            ))}
          </Grid>
        )}
      </Selection>
      <Newsletter source="home_page_main" />
    </Page>
  );
};
