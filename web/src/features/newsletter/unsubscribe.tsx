import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { hasCode } from '#web/lib/api/client.ts';
import { useSite } from '#web/lib/api/site.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { focusMain } from '#web/lib/focus-main.ts';
import { toastError } from '#web/lib/toast.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const failed = () =>
  toastError('Unsubscribe Failed', 'There was an error processing your request. Please try again.');

/** Needs a button press, because mail scanners open links. */
export const UnsubscribePage = () => {
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const [email, setEmail] = useState(query.get('email') ?? '');
  const byEmail = useChange(newsletterCalls.unsubscribe, {});
  const byLink = useChange(newsletterCalls.unsubscribeByLink, { query: { token } });
  useTitle('Unsubscribe', useSite().siteName);
  const broken = hasCode(byLink.error, 'TOKEN_INVALID');
  const linked = token !== '' && !broken;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (linked)
      return byLink.mutate({ 'List-Unsubscribe': 'One-Click' }, { onSuccess: focusMain, onError: failed });
    if (!email.trim().includes('@'))
      return toastError('Invalid Email', 'Please enter a valid email address.');
    byEmail.mutate({ email: email.trim() }, { onSuccess: focusMain, onError: failed });
  };
  const done = byLink.isSuccess || byEmail.isSuccess;
  return (
    <Page width="narrow">
      <Panel gap="$24" aria-live="polite">
        <Heading render="h1" size="headline">
          {done ? 'You’re unsubscribed' : 'Leave the newsletter'}
        </Heading>
        {done ? (
          <>
            <Text>
              {`No more letters to ${byLink.isSuccess ? 'you' : email.trim()}. Mails about your own bookings still come.`}
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
              {linked && <Text>One press, and no more letters come to the address that got this link.</Text>}
              {broken && <Text>This link is incomplete. Type your address instead.</Text>}
              {!linked && (
                <Field
                  label="Email"
                  name="email"
                  type="email"
                  autoComplete="email"
                  value={email}
                  onChange={(event) => setEmail(event.target.value)}
                />
              )}
              <Button
                kind="primary"
                type="submit"
                wide
                busy={byLink.isPending || byEmail.isPending}
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
