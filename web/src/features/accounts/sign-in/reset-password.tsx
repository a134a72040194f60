import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { resetPasswordForm } from '#domain/contracts/auth.ts';
import { useResetPassword, useResetToken } from '#web/features/accounts/use-sign-in.ts';
import { fieldsOf, hasCode, messageOf } from '#web/lib/api/client.ts';
import { useSite } from '#web/lib/api/site.ts';
import { ApiError } from '#web/lib/failure.ts';
import { focusMain } from '#web/lib/focus-main.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { keepsCookies } from '#web/lib/storage.ts';
import { toastError } from '#web/lib/toast.ts';
import { NeedsCookies } from '#web/ui/access/needs-cookies.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { NewPassword } from '#web/ui/form/new-password.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { EmptyState, Page, useTitle, Waiting } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const schema = resetPasswordForm();

const Form = ({ token, onDone }: { token: string; onDone: () => void }) => {
  const reset = useResetPassword();
  const failed = (error: unknown) => {
    if (!(error instanceof ApiError)) return toastError('Error', 'Network error. Please try again.');
    const { errors, code } = error.body;
    refuse(fieldsOf(error));
    if (code === 'TOKEN_INVALID') return toastError('Invalid Reset Link', messageOf(error, ''));
    if (error.status === 400 && errors?.length)
      return toastError('Password Requirements Not Met', errors.join(', '));
    return toastError('Reset Failed', messageOf(error, 'Failed to reset password'));
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
    if (unanswered) toastError('Error', 'Network error. Please try again.');
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
        <EmptyState
          level="h1"
          title={unanswered ? 'Network error' : 'Not checked yet'}
          action={<TryAgain kind="primary" refetch={link.refetch} />}
        >
          {unanswered
            ? 'Your reset link could not be checked. It has not been used.'
            : `${messageOf(link.error, 'It could not be checked.')} Your link has not been used.`}
        </EmptyState>
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
