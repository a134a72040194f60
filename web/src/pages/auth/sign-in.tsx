import { useNavigate } from 'react-router-dom';
import { loginRequest } from '#domain/contracts/auth.ts';
import { SessionNotKept, useLogin } from '../../api/auth.ts';
import { takeWayBack } from '../../frame/guard.tsx';
import { Box, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextButton } from '../../ui/link.tsx';
import { complain, toast } from '../../ui/toast.tsx';
import { sayFailure } from '../../words/failure.ts';
import { check, useForm } from '../../words/form.ts';

const NOT_KEPT =
  'Your password is right, but this browser did not keep you signed in: its cookies are blocked, or were dropped on the way. Allow cookies for this site, or try another connection.';

/** Why somebody is not signed in. Only the server says that it is the address or the password. */
const whyNot = (error: unknown): string => {
  if (error instanceof SessionNotKept) return NOT_KEPT;
  return sayFailure(error, 'The site did not answer. Please try again.', 'Invalid email or password');
};

/** The form "Welcome Back": email and password. */
export const SignIn = ({ onForgot, onCreate }: { onForgot: () => void; onCreate: () => void }) => {
  const login = useLogin();
  const navigate = useNavigate();
  const failed = (error: unknown) => {
    const message = whyNot(error);
    if (!message.includes('No account found')) return complain('Login failed', message);
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
        onSuccess: ({ user }) => {
          toast({ title: 'Welcome back!', description: `Logged in successfully as ${user.firstName}` });
          navigate(takeWayBack(), { replace: true });
        },
        onError: failed,
      }),
  );
  // The toast disappears. Its message stays at the password until the next attempt.
  const refusal = login.isError ? whyNot(login.error) : undefined;
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
