import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { registerForm } from '#domain/contracts/auth.ts';
import { useRegister } from '../../api/auth.ts';
import { messageOf } from '../../api/client.ts';
import { Box } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Meter } from '../../ui/meter.tsx';
import { complain, toast } from '../../ui/toast.tsx';
import { check, focusFirstProblem, type Problems } from '../../words/form.ts';
import { strengthOf } from './strength.ts';

const blank = { email: '', password: '', confirmPassword: '', firstName: '', lastName: '' };
const schema = registerForm();

/** "Create Account". */
export const Register = () => {
  const [form, setForm] = useState(blank);
  const [problems, setProblems] = useState<Problems<string>>({});
  const register = useRegister();
  const navigate = useNavigate();
  const strength = strengthOf(form.password);
  const set = (name: keyof typeof blank) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const checked = check(schema, form);
    setProblems(checked.ok ? {} : checked.problems);
    if (!checked.ok) return focusFirstProblem(event.currentTarget);
    const { confirmPassword: _, ...sent } = checked.value;
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
      onError: (error) => complain('Registration failed', messageOf(error, 'Failed to create account')),
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Box gap="$20">
        <Field
          label="First name"
          autoComplete="given-name"
          value={form.firstName}
          error={problems.firstName}
          onChange={set('firstName')}
        />
        <Field
          label="Last name"
          optional
          autoComplete="family-name"
          value={form.lastName}
          error={problems.lastName}
          onChange={set('lastName')}
        />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          value={form.email}
          error={problems.email}
          onChange={set('email')}
        />
        <Box gap="$12">
          <Field
            label="Password"
            type="password"
            autoComplete="new-password"
            value={form.password}
            error={problems.password}
            onChange={set('password')}
          />
          {strength ? <Meter score={strength.score} words={strength.words} /> : null}
        </Box>
        <Field
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          value={form.confirmPassword}
          error={problems.confirmPassword}
          onChange={set('confirmPassword')}
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
