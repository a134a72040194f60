import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useForgotPassword } from '#web/features/accounts/use-sign-in.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Text } from '#web/ui/text.tsx';

export const ForgotPassword = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [email, setEmail] = useState('');
  const forgot = useForgotPassword();
  const close = () => {
    setEmail('');
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!email.trim()) return toastError('Email required', 'Please enter your email address');
    forgot.mutate(
      { email: email.trim() },
      {
        onSuccess: () => {
          close();
          toast({
            title: 'Reset link sent',
            description: 'If an account with that email exists, a password reset link has been sent.',
          });
        },
        onError: (error) => toastError('Error', sayFailure(error, undefined, 'Failed to send reset email')),
      },
    );
  };
  // A disabled submit button also disables Enter, so Enter shows the reason.
  const enter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !email.trim()) submit(event);
  };
  return (
    <Dialog open={open} onClose={close} title="Reset Password" locked={forgot.isPending}>
      <form onSubmit={submit} noValidate>
        <Box gap="$24">
          <Text tone="dim">We send you a link that sets a new password. It works once, for 30 minutes.</Text>
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            onKeyDown={enter}
          />
          <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
            <Button kind="plain" onClick={close} disabled={forgot.isPending}>
              Cancel
            </Button>
            <Button
              kind="primary"
              type="submit"
              disabled={!email.trim()}
              busy={forgot.isPending}
              busyText="Sending..."
            >
              Send Reset Link
            </Button>
          </Row>
        </Box>
      </form>
    </Dialog>
  );
};
