import { useState } from 'react';
import type { User } from '#domain/contracts/auth.ts';
import { changePasswordForm, securityCalls } from '#domain/contracts/security.ts';
import { useForgotPassword } from '#web/features/accounts/use-sign-in.ts';
import { fieldsOf } from '#web/lib/api/client.ts';
import { sessionChanged } from '#web/lib/api/session.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { NewPassword } from '#web/ui/form/new-password.tsx';
import { Text } from '#web/ui/text.tsx';

const schema = changePasswordForm();
const blank = { currentPassword: '', password: '', confirmPassword: '' };

const Form = ({ email, onDone }: { email: string; onDone: () => void }) => {
  const save = useChange(securityCalls.changePassword, {
    stale: [securityCalls.sessions],
    done: ({ message }) => ({ title: 'Password changed', description: message }),
    failed: 'Your password was not changed',
  });
  const { form, field, refuse, submit } = useForm(
    blank,
    (typed) => check(schema, typed),
    ({ confirmPassword: _, ...sent }) =>
      save.mutate(sent, {
        onSuccess: () => {
          sessionChanged();
          onDone();
        },
        onError: (error) => refuse(fieldsOf(error)),
      }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Box gap="$20">
        {/* Tells password managers whose password it is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          {...field('currentPassword')}
        />
        <NewPassword form={form} field={field} />
        <Row>
          <Button kind="outline" type="submit" busy={save.isPending} busyText="Saving...">
            Change password
          </Button>
        </Row>
      </Box>
    </form>
  );
};

const NoPassword = ({ email }: { email: string }) => {
  const forgot = useForgotPassword();
  const send = () =>
    forgot.mutate(
      { email },
      {
        onSuccess: () =>
          toast({ title: 'Link sent', description: `It went to ${email}, and works for 30 minutes.` }),
        onError: (error) => toastError('Error', sayFailure(error, undefined, 'The link could not be sent')),
      },
    );
  return (
    <>
      <Text tone="dim">
        You sign in with Google, so this account has no password. If you would like one as well, we send you a
        link that sets it.
      </Text>
      <Row>
        <Button busy={forgot.isPending} busyText="Sending..." onClick={send}>
          Send me the link
        </Button>
      </Row>
    </>
  );
};

export const Password = ({ user }: { user: User }) => {
  const [changes, setChanges] = useState(0);
  return user.signInWith.includes('password') ? (
    <Form key={changes} email={user.email} onDone={() => setChanges(changes + 1)} />
  ) : (
    <NoPassword email={user.email} />
  );
};
