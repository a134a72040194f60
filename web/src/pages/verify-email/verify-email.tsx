import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useResendVerification, useVerifyEmail } from '../../api/auth.ts';
import { messageOf } from '../../api/client.ts';
import { ApiError } from '../../api/failure.ts';
import { useSite } from '../../api/site.ts';
import { Panel, Row } from '../../ui/box.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Page, useTitle } from '../../ui/page.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { complain, toast } from '../../ui/toast.tsx';

type State = { name: 'loading' | 'success' | 'error' | 'missing-token'; message?: string };

const titles: Record<State['name'], string> = {
  loading: 'Verifying your email',
  success: 'Email verified',
  error: 'Verification failed',
  'missing-token': 'Check your inbox',
};
const texts: Record<State['name'], string> = {
  loading: 'One moment, please.',
  success: 'Your address is confirmed. You can book tickets now.',
  error: 'The verification link is invalid or has expired.',
  'missing-token':
    'We sent you a link when you registered. Open it to confirm your address, or ask for a new one here.',
};

/** The page behind the link of a verification mail. It uses the token once. */
export const VerifyEmailPage = () => {
  const token = useSearchParams()[0].get('token') ?? '';
  const [state, setState] = useState<State>({ name: token ? 'loading' : 'missing-token' });
  const verify = useVerifyEmail();
  const resend = useResendVerification();
  useTitle(titles[state.name], useSite().siteName);
  const spent = useRef('');
  useEffect(() => {
    if (!token || spent.current === token) return;
    spent.current = token;
    verify
      .mutateAsync(token)
      .then(({ message }) => setState({ name: 'success', message }))
      .catch((error: unknown) =>
        setState({
          name: 'error',
          message:
            error instanceof ApiError
              ? messageOf(error, 'Verification failed')
              : 'Network error. Please try again.',
        }),
      );
  }, [token, verify]);
  const sendAgain = () =>
    resend.mutate(undefined, {
      onSuccess: ({ message }) => toast({ title: 'Verification Email Sent', description: message }),
      onError: (error) => complain('Error', messageOf(error, 'Failed to resend verification email')),
    });
  return (
    <Page width="narrow">
      <Panel gap="$24" aria-live="polite">
        <Heading render="h1" size="headline">
          {titles[state.name]}
        </Heading>
        <Text>{state.message ?? texts[state.name]}</Text>
        <Row gap="$12" flexWrap="wrap">
          {state.name === 'success' ? (
            <ButtonLink to="/events" kind="primary">
              Browse Events
            </ButtonLink>
          ) : null}
          <Button
            kind={state.name === 'success' || state.name === 'loading' ? 'outline' : 'primary'}
            busy={resend.isPending}
            busyText="Sending..."
            onClick={sendAgain}
          >
            Resend verification email
          </Button>
          <ButtonLink to="/auth" kind="plain">
            Back to login
          </ButtonLink>
        </Row>
      </Panel>
    </Page>
  );
};
