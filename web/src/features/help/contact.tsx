import { useSite } from '#web/lib/api/site.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

export const ContactPage = () => {
  const { siteName, contactEmail, contactPhone } = useSite();
  useTitle('Contact', siteName);
  return (
    <Page width="reading" gap="$32">
      <Heading render="h1" size="poster">
        Talk to us
      </Heading>
      <Panel>
        <Row gap="$16" alignItems="flex-start" color="$lime">
          <Icon name="mail" size={24} />
          <Box gap="$4">
            <Text strong>Email</Text>
            {contactEmail ? (
              <Text>
                <TextLink to={`mailto:${contactEmail}`}>{contactEmail}</TextLink>
              </Text>
            ) : (
              <Text>Through the help center, under Contact Support.</Text>
            )}
            {contactPhone ? (
              <Text figures>
                <TextLink to={`tel:${contactPhone.replaceAll(' ', '')}`}>{contactPhone}</TextLink>
              </Text>
            ) : null}
          </Box>
        </Row>
        <Row gap="$16" alignItems="flex-start" color="$lime">
          <Icon name="clock" size={24} />
          <Box gap="$4">
            <Text strong>We reply within 24 hours</Text>
            <Text tone="dim">If it is about a booking, tell us its number: it starts with BK.</Text>
          </Box>
        </Row>
      </Panel>
      <Row>
        <ButtonLink to="/help" kind="primary">
          Go to the help center
        </ButtonLink>
      </Row>
    </Page>
  );
};
