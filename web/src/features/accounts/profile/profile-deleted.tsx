import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { forgetSignedIn } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Receipt } from './receipt.tsx';

const gone = [
  'Your profile',
  'Your bookings and tickets',
  'Payment and refund records',
  'Newsletter subscriptions (deactivated)',
  'Security logs',
] as const;

export const ProfileDeletedPage = () => {
  const receipt = useSearchParams()[0].get('receipt');
  useTitle('Account deleted', useSite().siteName);
  useEffect(forgetSignedIn, []);
  return (
    <Page width="narrow" gap="$32">
      <Heading render="h1" size="poster">
        Your account is deleted
      </Heading>
      <Panel gap="$20">
        <Text>Permanently, and everywhere:</Text>
        <ul>
          {gone.map((thing) => (
            <li key={thing}>
              <Row gap="$12" minHeight={36} color="$dim">
                <Icon name="check" size={18} />
                <Text>{thing}</Text>
              </Row>
            </li>
          ))}
        </ul>
        <Text size="small" tone="dim">
          The amounts, dates and events that accounting must keep no longer name you.
        </Text>
      </Panel>
      {receipt ? <Receipt name={receipt} /> : null}
      <Box>
        <Row gap="$12" flexWrap="wrap">
          <ButtonLink to="/events" kind="primary">
            Browse Events
          </ButtonLink>
          <ButtonLink to="/auth?mode=create" kind="outline">
            Create a new account
          </ButtonLink>
        </Row>
      </Box>
    </Page>
  );
};
