import { useSession } from '../../api/auth.ts';
import { useEvents } from '../../api/catalogue.ts';
import { useSite } from '../../api/site.ts';
import { CompactCard } from '../../catalogue/event-card.tsx';
import { Fan } from '../../catalogue/fan.tsx';
import { Featured } from '../../catalogue/featured.tsx';
import { Moods } from '../../catalogue/moods.tsx';
import { Newsletter } from '../../catalogue/newsletter.tsx';
import { More, Selection } from '../../catalogue/selection.tsx';
import { Box, Row } from '../../ui/box.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { HeroImage } from '../../ui/hero-image.tsx';
import { Grid, Page, useTitle } from '../../ui/page.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { NextBooking } from './next-booking.tsx';

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
