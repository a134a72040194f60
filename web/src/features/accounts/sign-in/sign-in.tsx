import { loginRequest } from '#domain/contracts/auth.ts';
import { useLogin } from '#web/features/accounts/use-sign-in.ts';
import { hasCode } from '#web/lib/api/client.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextButton } from '#web/ui/link.tsx';
import { useWelcome, whyNot } from './welcome.ts';

const stillWrong = (error: unknown): string => {
  if (hasCode(error, 'NO_ACCOUNT')) return 'There is no account with that address';
  return hasCode(error, 'BAD_CREDENTIALS')
    ? 'That address and that password don’t belong together'
    : whyNot(error);
};

export const SignIn = ({
  onForgot,
  onCreate,
  onCode,
}: {
  onForgot: () => void;
  onCreate: () => void;
  onCode: () => void;
}) => {
  const login = useLogin();
  const welcome = useWelcome();
  const failed = (error: unknown) => {
    if (hasCode(error, 'SECOND_FACTOR')) return onCode();
    const message = whyNot(error);
    if (!message.includes('No account found')) return toastError('Login failed', message);
    toast({
      title: 'Account not found',
      description: message,
      variant: 'destructive',
      duration: 6_000,
      action: { label: 'Create Account', run: onCreate },
    });
  };
  const { field, submit } = useForm(
    { email: '', password: '' },
    (typed) => check(loginRequest, typed),
    (sent) =>
      login.mutate(sent, {
        onSuccess: ({ user }) => welcome(user),
        onError: failed,
      }),
  );
  // The toast disappears; this error stays at the password field until the next attempt.
  const refusal = login.isError ? stillWrong(login.error) : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Box gap="$20">
        <Field label="Email" type="email" autoComplete="email" {...field('email')} />
        <Box gap="$4">
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            {...field('password')}
            error={field('password').error ?? refusal}
          />
          <Row justifyContent="flex-end">
            <TextButton onClick={onForgot}>Forgot password?</TextButton>
          </Row>
        </Box>
        <Button
          kind="primary"
          type="submit"
          size="large"
          wide
          busy={login.isPending}
          busyText="Signing in..."
        >
          Sign In
        </Button>
      </Box>
    </form>
  );
};
