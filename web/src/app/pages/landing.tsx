import { lazy } from 'react';
import { Fan } from '#web/features/events/fan.tsx';
import { Featured } from '#web/features/events/featured.tsx';
import { Moods } from '#web/features/events/moods.tsx';
import { Programme } from '#web/features/events/programme.tsx';
import { More, Selection } from '#web/features/events/selection.tsx';
import { useEvents } from '#web/lib/api/catalogue.ts';
import { useSite } from '#web/lib/api/site.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { CrashScreen } from '#web/ui/crash.tsx';
import { HeroImage } from '#web/ui/hero-image.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const Newsletter = lazy(async () => ({
  default: (await import('#web/features/newsletter/newsletter.tsx')).Newsletter,
}));

export const LandingPage = () => {
  const { siteName, siteTagline, heroImageUrl, featuredEventsLimit } = useSite();
  const featured = useEvents({ featured: true, limit: featuredEventsLimit });
  const upcoming = useEvents({ limit: 8 });
  useTitle(undefined, `${siteName}: ${siteTagline}`);
  return (
    <Page gap="$64">
      <div className="stage">
        <HeroImage url={heroImageUrl} />
        <Box gap="$24">
          <Text strong tone="lime">
            First concert: London, September 26th. More UK events to come.
          </Text>
          <Heading render="h1" size="marquee">
            The lights are about to go down.
          </Heading>
          <Text size="lead" tone="dim" maxWidth={520}>
            Concerts, long tables, late rooms and bold stages in London and cities across the UK. Find a
            night, pay by card, and your ticket is on your phone.
          </Text>
          <Row gap="$12" flexWrap="wrap">
            <ButtonLink to="/events" kind="primary" size="large">
              See what’s on
            </ButtonLink>
            <ButtonLink to="/auth?mode=create" kind="outline" size="large">
              Create an account
            </ButtonLink>
          </Row>
        </Box>
        <Fan events={featured.data?.items} />
      </div>
      <Selection
        title="Upcoming Events"
        lead="What starts next, wherever you are."
        more={<More to="/events">All events</More>}
        query={upcoming}
        shape="lines"
        skeletons={8}
      >
        {(events) => <Programme events={events} />}
      </Selection>
      <Moods />
      <Featured query={featured} />
      <CrashScreen waiting={null} instead={null}>
        <Newsletter source="landing_page" />
      </CrashScreen>
    </Page>
  );
};
