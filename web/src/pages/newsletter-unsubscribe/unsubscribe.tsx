import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useUnsubscribe } from '../../api/newsletter.ts';
import { useSite } from '../../api/site.ts';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Page, useTitle } from '../../ui/page.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { complain } from '../../ui/toast.tsx';

/** The page that unsubscribes an address from the newsletter. */
export const UnsubscribePage = () => {
  const [email, setEmail] = useState(useSearchParams()[0].get('email') ?? '');
  const [done, setDone] = useState(false);
  const unsubscribe = useUnsubscribe();
  useTitle('Unsubscribe', useSite().siteName);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!email.trim().includes('@')) return complain('Invalid Email', 'Please enter a valid email address.');
    unsubscribe.mutate(email.trim(), {
      onSuccess: () => setDone(true),
      onError: () =>
        complain('Unsubscribe Failed', 'There was an error processing your request. Please try again.'),
    });
  };
  return (
    <Page width="narrow">
      <Panel gap="$24">
        <Heading render="h1" size="headline">
          {done ? 'You’re unsubscribed' : 'Leave the newsletter'}
        </Heading>
        {done ? (
          <>
            <Text role="status">
              {`No more letters to ${email.trim()}. Mails about your own bookings still come.`}
            </Text>
            <Row>
              <ButtonLink to="/events" kind="primary">
                Browse Events
              </ButtonLink>
            </Row>
          </>
        ) : (
          <form onSubmit={submit} noValidate>
            <Box gap="$20">
              <Field
                label="Email"
                type="email"
                autoComplete="email"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
              <Button
                kind="primary"
                type="submit"
                wide
                busy={unsubscribe.isPending}
                busyText="Unsubscribing..."
              >
                Unsubscribe
              </Button>
            </Box>
          </form>
        )}
      </Panel>
    </Page>
  );
};
