import { useEffect, useState } from 'react';
import { Navigate, useNavigationType, useSearchParams } from 'react-router-dom';
import { authCalls } from '#domain/contracts/auth.ts';
import { addressOf } from '#web/lib/api/client.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { keepsCookies } from '#web/lib/storage.ts';
import { toastError } from '#web/lib/toast.ts';
import { forgetWayBack, wayBack } from '#web/lib/way-back.ts';
import { NeedsCookies } from '#web/ui/access/needs-cookies.tsx';
import { From } from '#web/ui/bar.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TextButton } from '#web/ui/link.tsx';
import { Page, Split, useTitle, Waiting } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { CodeStep } from './code-step.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { Register } from './register.tsx';
import { SignIn } from './sign-in.tsx';

const GoogleMark = () => (
  <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" focusable="false" fill="currentColor">
    <path d="M9.2 7.5v3.1h4.4c-.4 2-2.1 3.2-4.4 3.2a4.8 4.8 0 1 1 0-9.6c1.2 0 2.3.4 3.1 1.2l2.3-2.3A8 8 0 1 0 9.2 17c4.6 0 7.8-3.2 7.8-7.8 0-.6 0-1.1-.2-1.7H9.2Z" />
  </svg>
);

const promises = [
  'Curated local experiences',
  'Secure booking and payments',
  'Event discovery and notifications',
] as const;

const googleProblems: Record<string, string> = {
  'google-not-configured':
    'Signing in with Google is not set up on this site. Please use your email address.',
  'google-unavailable': 'Google is not answering at the moment. Please try again, or use your email address.',
  'google-no-address': 'Google did not tell us your email address. Please sign in with it here.',
  'google-unverified-account':
    'There is an account with that address which is not verified yet. Please sign in with its password, or choose “Forgot password?”.',
  'google-existing-account':
    'There is an account with that address already. Please sign in with its password, or choose “Forgot password?”.',
  'account-inactive': 'This account has been deactivated. Please contact support.',
  'account-deleted': 'This account has been deleted.',
};

export const AuthPage = () => {
  const [params, setParams] = useSearchParams();
  const creating = params.get('mode') === 'create';
  const coding = params.get('step') === 'code';
  const show = (form: Record<string, string>): void => setParams(form, { replace: true });
  const [forgot, setForgot] = useState(false);
  const { siteName } = useSite();
  const { isAuthenticated, isLoading, isUnknown } = useSession();
  // Evaluated once: the form handles later sign-ins.
  const [cameSignedIn, setCameSignedIn] = useState<boolean>();
  if (cameSignedIn === undefined && (!isLoading || isUnknown)) setCameSignedIn(isAuthenticated);
  const [cookiesKept] = useState(keepsCookies);
  useTitle(creating ? 'Create Account' : 'Sign In', siteName);
  const problem = params.get('error');
  const [cameByThemselves] = useState(useNavigationType() === 'PUSH');
  const back = cameByThemselves ? undefined : wayBack();
  useEffect(() => {
    if (cameByThemselves) forgetWayBack();
  }, [cameByThemselves]);
  useEffect(() => {
    if (!problem) return;
    toastError(
      'Login failed',
      googleProblems[problem] ?? 'Signing in with Google didn’t work. Please try again.',
    );
    setParams({}, { replace: true });
  }, [problem, setParams]);
  if (cameSignedIn === undefined) return <Waiting>Checking authentication...</Waiting>;
  if (cameSignedIn) return <Navigate to="/" replace />;
  return (
    <Page>
      <Split
        asideWidth={480}
        phone="aside"
        main={
          <Box gap="$32" $md={{ paddingTop: '$40' }}>
            <From width="wide">
              <Heading render="p" size="marquee">
                Your seat is in the dark. Everything else is bright.
              </Heading>
            </From>
            <ul>
              {promises.map((promise) => (
                <li key={promise}>
                  <Row gap="$12" minHeight={36} color="$lime">
                    <Icon name="check" />
                    <Text size="lead">{promise}</Text>
                  </Row>
                </li>
              ))}
            </ul>
          </Box>
        }
        aside={
          coding ? (
            <Panel gap="$24">
              <Heading render="h1" size="headline">
                One more step
              </Heading>
              <CodeStep onBack={() => show({})} />
            </Panel>
          ) : (
            <Panel gap="$24">
              <Heading render="h1" size="headline">
                {creating ? 'Create Account' : 'Welcome Back'}
              </Heading>
              {cookiesKept ? null : <NeedsCookies what="Signing in" />}
              {creating ? (
                <Register />
              ) : (
                <SignIn
                  onForgot={() => setForgot(true)}
                  onCreate={() => show({ mode: 'create' })}
                  onCode={() => show({ step: 'code' })}
                />
              )}
              <Row gap="$16">
                <Box flex={1} height={1} backgroundColor="$line" />
                <Text size="small" tone="dim">
                  or
                </Text>
                <Box flex={1} height={1} backgroundColor="$line" />
              </Row>
              <ButtonLink
                to={addressOf(authCalls.google, { query: { returnTo: back } })}
                reload
                kind="outline"
                wide
              >
                <GoogleMark />
                Continue with Google
              </ButtonLink>
              <Row gap="$8" justifyContent="center" flexWrap="wrap">
                <Text tone="dim">{creating ? 'Already have an account?' : 'New here?'}</Text>
                <TextButton onClick={() => show(creating ? {} : { mode: 'create' })}>
                  {creating ? 'Sign in' : 'Create an account'}
                </TextButton>
              </Row>
            </Panel>
          )
        }
      />
      <ForgotPassword open={forgot} onClose={() => setForgot(false)} />
    </Page>
  );
};
