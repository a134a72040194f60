import { useNavigate } from 'react-router-dom';
import { registerForm } from '#domain/contracts/auth.ts';
import { useRegister } from '#web/features/accounts/use-sign-in.ts';
import { fieldsOf } from '#web/lib/api/client.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Meter } from '#web/ui/meter.tsx';
import { strengthOf } from './strength.ts';

const UNKNOWN =
  'The site did not answer, so there may be an account by now. Try again, or sign in with this password.';

const blank = { email: '', password: '', confirmPassword: '', firstName: '', lastName: '' };
const schema = registerForm();

export const Register = () => {
  const register = useRegister();
  const navigate = useNavigate();
  const { form, field, refuse, submit } = useForm(
    blank,
    (typed) => check(schema, typed),
    ({ confirmPassword: _, ...sent }) =>
      register.mutate(sent, {
        onSuccess: ({ requiresEmailVerification }) => {
          toast({
            title: 'Account created!',
            description: requiresEmailVerification
              ? 'Please check your email to verify your account.'
              : 'Your account has been created successfully.',
          });
          navigate('/profile-complete', { replace: true });
        },
        onError: (error) => {
          toastError('Registration failed', sayFailure(error, UNKNOWN, 'Failed to create account'));
          refuse(fieldsOf(error));
        },
      }),
  );
  const strength = strengthOf(form.password);
  return (
    <form onSubmit={submit} noValidate>
      <Box gap="$20">
        <Field label="First name" autoComplete="given-name" {...field('firstName')} />
        <Field label="Last name" optional autoComplete="family-name" {...field('lastName')} />
        <Field label="Email" type="email" autoComplete="email" {...field('email')} />
        <Box gap="$12">
          <Field label="Password" type="password" autoComplete="new-password" {...field('password')} />
          {strength ? <Meter score={strength.score} words={strength.words} /> : null}
        </Box>
        <Field
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          {...field('confirmPassword')}
        />
        <Button
          kind="primary"
          type="submit"
          size="large"
          wide
          busy={register.isPending}
          busyText="Creating account..."
        >
          Create Account
        </Button>
      </Box>
    </form>
  );
};
