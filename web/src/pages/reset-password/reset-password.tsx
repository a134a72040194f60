import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { resetPasswordForm } from '#domain/contracts/auth.ts';
import { fieldsOf, hasCode, messageOf } from '../../api/client.ts';
import { ApiError } from '../../api/failure.ts';
import { useResetPassword, useResetToken } from '../../api/sign-in.ts';
import { useSite } from '../../api/site.ts';
import { focusMain } from '../../kit/focus-main.ts';
import { NeedsCookies } from '../../kit/needs-cookies.tsx';
import { NewPassword } from '../../kit/new-password.tsx';
import { TryAgain } from '../../kit/not-loaded.tsx';
import { keepsCookies } from '../../lib/storage.ts';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Blank, Page, useTitle, Waiting } from '../../ui/page.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { complain } from '../../ui/toast.tsx';
import { check, useForm } from '../../words/form.ts';

const schema = resetPasswordForm();

const Form = ({ token, onDone }: { token: string; onDone: () => void }) => {
  const reset = useResetPassword();
  const failed = (error: unknown) => {
    if (!(error instanceof ApiError)) return complain('Error', 'Network error. Please try again.');
    const { errors, code } = error.body;
    refuse(fieldsOf(error));
    if (code === 'TOKEN_INVALID') return complain('Invalid Reset Link', messageOf(error, ''));
    if (error.status === 400 && errors?.length)
      return complain('Password Requirements Not Met', errors.join(', '));
    return complain('Reset Failed', messageOf(error, 'Failed to reset password'));
  };
  const { form, field, refuse, submit } = useForm(
    { password: '', confirmPassword: '' },
    (typed) => check(schema, typed),
    ({ password }) => reset.mutate({ token, password }, { onSuccess: onDone, onError: failed }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Box gap="$20">
        <NewPassword form={form} field={field} />
        <Button kind="primary" type="submit" size="large" wide busy={reset.isPending} busyText="Saving...">
          Set new password
        </Button>
      </Box>
    </form>
  );
};

export const ResetPasswordPage = () => {
  const token = useSearchParams()[0].get('token') ?? '';
  const [done, setDone] = useState(false);
  const link = useResetToken(token);
  useTitle('Reset Password', useSite().siteName);
  const unanswered = link.isError && (!(link.error instanceof ApiError) || link.error.status >= 500);
  useEffect(() => {
    if (unanswered) complain('Error', 'Network error. Please try again.');
  }, [unanswered]);
  if (token && !done && link.isFetching) return <Waiting>Checking your reset link...</Waiting>;
  if (hasCode(link.error, 'CSRF') && !keepsCookies())
    return (
      <Page width="narrow">
        <NeedsCookies what="Setting a new password" />
      </Page>
    );
  // Other errors, such as too many attempts, say nothing about the link.
  const invalid = link.error instanceof ApiError && link.error.status === 400;
  if (link.isError && !invalid)
    return (
      <Page width="narrow">
        <Blank
          level="h1"
          title={unanswered ? 'Network error' : 'Not checked yet'}
          action={<TryAgain kind="primary" refetch={link.refetch} />}
        >
          {unanswered
            ? 'Your reset link could not be checked. It has not been used.'
            : `${messageOf(link.error, 'It could not be checked.')} Your link has not been used.`}
        </Blank>
      </Page>
    );
  const valid = token && link.isSuccess;
  return (
    <Page width="narrow">
      <Panel gap="$24">
        <Heading render="h1" size="headline">
          {done ? 'Password changed' : valid ? 'Choose a new password' : 'Invalid Reset Link'}
        </Heading>
        {done ? (
          <Text>You are signed out everywhere. Sign in with your new password.</Text>
        ) : valid ? (
          <Form
            token={token}
            onDone={() => {
              setDone(true);
              focusMain();
            }}
          />
        ) : (
          <Text>
            This link is not complete, has been used, or is older than 30 minutes. Ask for a new one where you
            sign in: “Forgot password?”
          </Text>
        )}
        {valid && !done ? null : (
          <Row>
            <ButtonLink to="/auth" kind="primary">
              {done ? 'Sign In' : 'Back to login'}
            </ButtonLink>
          </Row>
        )}
      </Panel>
    </Page>
  );
};
