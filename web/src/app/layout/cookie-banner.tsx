import { useEffect, useState } from 'react';
import { focusMain } from '#web/lib/focus-main.ts';
import { onKeptElsewhere } from '#web/lib/storage.ts';
import { TopQuestion } from '#web/ui/bar.tsx';
import { Row } from '#web/ui/box.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { Text } from '#web/ui/text.tsx';
import { consentGiven, giveConsent } from './consent.ts';

export const CookieBanner = () => {
  const [choice, setChoice] = useState(consentGiven);
  useEffect(() => onKeptElsewhere(() => setChoice(consentGiven())), []);
  if (choice) return null;
  const choose = (made: 'accepted' | 'rejected') => {
    giveConsent(made);
    setChoice(made);
    focusMain();
  };
  return (
    <TopQuestion label="Cookies">
      <Text size="small">
        We use the cookies that signing in and paying need. May we remember your choices too?{' '}
        <TextLink to="/cookies">How we use cookies</TextLink>
      </Text>
      <Row gap="$8">
        <Button kind="primary" size="small" onClick={() => choose('accepted')}>
          Accept
        </Button>
        <Button kind="outline" size="small" onClick={() => choose('rejected')}>
          Reject
        </Button>
        <IconButton icon="close" label="Close the cookie notice" onClick={() => choose('rejected')} />
      </Row>
    </TopQuestion>
  );
};
