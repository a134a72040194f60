import { type FormEvent, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useResendVerification, useVerifyEmail } from '#web/features/accounts/use-sign-in.ts';
import { fieldsOf, hasCode, messageOf } from '#web/lib/api/client.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { ApiError } from '#web/lib/failure.ts';
import { focusMain } from '#web/lib/focus-main.ts';
import { keepsCookies } from '#web/lib/storage.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { NeedsCookies } from '#web/ui/access/needs-cookies.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

type State = 'asking' | 'loading' | 'success' | 'error' | 'missing-token';

const titles: Record<State, string> = {
  asking: 'Verify your email',
  loading: 'Verifying your email',
  success: 'Email verified',
  error: 'Verification failed',
  'missing-token': 'Check your inbox',
};
const texts: Record<State, string> = {
  asking: 'One more step: confirm that this address is yours.',
  loading: 'One moment, please.',
  success: 'Your address is confirmed. You can book tickets now.',
  error: 'The verification link is invalid or has expired.',
  'missing-token':
    'We sent you a link when you registered. Open it to confirm your address, or ask for a new one here.',
};
const UNANSWERED = 'Network error. Please try again.';

/** Needs a button press, because mail scanners open links. */
export const VerifyEmailPage = () => {
  const token = useSearchParams()[0].get('token') ?? '';
  const verify = useVerifyEmail();
  const resend = useResendVerification();
  const { isAuthenticated, isLoading } = useSession();
  const [password, setPassword] = useState('');

  const { error } = verify;
  const refused = error instanceof ApiError ? error : undefined;
  const wanting = hasCode(error, 'WRONG_PASSWORD');
  const asksPassword = wanting || !(isAuthenticated || isLoading);
  // Other errors, such as too many attempts, say nothing about the link.
  const final = refused?.status === 400 && !wanting;
  const state: State = !token
    ? 'missing-token'
    : verify.isSuccess
      ? 'success'
      : verify.isPending
        ? 'loading'
        : final
          ? 'error'
          : 'asking';
  useTitle(titles[state], useSite().siteName);
  const isOver = state === 'success' || state === 'error';
  useEffect(() => (isOver ? focusMain() : undefined), [isOver]);
  const said =
    refused && refused.status < 500 && !wanting
      ? messageOf(error, final ? texts.error : 'Verification failed')
      : error && !wanting
        ? UNANSWERED
        : verify.data?.message;

  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!verify.isPending) verify.mutate({ token, ...(asksPassword && password && { password }) });
  };
  const sendAgain = () =>
    resend.mutate(undefined, {
      onSuccess: ({ message }) => toast({ title: 'Verification Email Sent', description: message }),
      onError: (error) => toastError('Error', messageOf(error, 'Failed to resend verification email')),
    });
  return (
    <Page width="narrow">
      <Panel gap="$24" aria-live="polite">
        <Heading render="h1" size="headline">
          {titles[state]}
        </Heading>
        {hasCode(error, 'CSRF') && !keepsCookies() ? (
          <NeedsCookies what="Verifying your address" />
        ) : (
          <Text>{said ?? texts[state]}</Text>
        )}
        {state === 'asking' || state === 'loading' ? (
          <form onSubmit={send} noValidate>
            <Box gap="$20">
              {asksPassword ? (
                <Field
                  label="Your password"
                  type="password"
                  autoComplete="current-password"
                  hint="The one of the account that you registered with this address."
                  value={password}
                  error={fieldsOf(error).password}
                  onChange={({ target }) => setPassword(target.value)}
                />
              ) : null}
              <Button
                kind="primary"
                type="submit"
                size="large"
                wide
                busy={verify.isPending}
                busyText="Verifying..."
              >
                Verify Email
              </Button>
              {asksPassword ? (
                <Text size="small" tone="dim">
                  You don’t know it, or you did not register? Choose “Forgot password?” where you sign in:
                  whoever registered with your address then has no access any more.
                </Text>
              ) : null}
            </Box>
          </form>
        ) : null}
        <Row gap="$12" flexWrap="wrap">
          {state === 'success' ? (
            <ButtonLink to="/events" kind="primary">
              Browse Events
            </ButtonLink>
          ) : null}
          <Button
            kind={state === 'error' || state === 'missing-token' ? 'primary' : 'outline'}
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
