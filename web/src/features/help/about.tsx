import { useSite } from '#web/lib/api/site.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const parts = [
  {
    title: 'What we are for',
    text: 'Good nights are not hard to make. They are hard to find. We put concerts, dining, nightlife and culture of UK cities in one place, chosen by people who go, at the price that the venue set.',
  },
  {
    title: 'How a booking goes',
    text: 'You choose an event and how many come. Your tickets are held for 15 minutes while you pay by card. The ticket is in your profile at once and in your inbox a moment later. At the door its code is scanned, once.',
  },
  {
    title: 'If you can’t come',
    text: 'Cancel in your profile. Seven days or more ahead you get all of it back, up to 24 hours ahead 80%, later nothing. We tell you the exact amount before you decide.',
  },
  {
    title: 'Why the name',
    text: 'In music, a reprise is a passage that is played again. Everything that happens to your booking is written down as it happens, and can be played again: you find the whole history of each booking in your profile.',
  },
] as const;

export const AboutPage = () => {
  const { siteName } = useSite();
  useTitle('About', siteName);
  return (
    <Page width="reading" gap="$48">
      <Heading render="h1" size="marquee">
        Nights worth repeating
      </Heading>
      {parts.map(({ title, text }) => (
        <Box key={title} gap="$12">
          <Heading size="title">{title}</Heading>
          <Text size="lead" tone="dim">
            {text}
          </Text>
        </Box>
      ))}
      <Row>
        <ButtonLink to="/events" kind="primary" size="large">
          See what’s on
        </ButtonLink>
      </Row>
    </Page>
  );
};
