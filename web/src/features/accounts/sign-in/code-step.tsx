import { useState } from 'react';
import { codeRequest } from '#domain/contracts/auth.ts';
import { useSecondStep } from '#web/features/accounts/use-sign-in.ts';
import { fieldsOf, hasCode } from '#web/lib/api/client.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextButton } from '#web/ui/link.tsx';
import { Text } from '#web/ui/text.tsx';
import { useWelcome, whyNot } from './welcome.ts';

export const CodeStep = ({ onBack }: { onBack: () => void }) => {
  const [recovering, setRecovering] = useState(false);
  const send = useSecondStep();
  const welcome = useWelcome();
  const { change, field, refuse, submit } = useForm(
    { code: '' },
    (typed) => check(codeRequest, typed),
    (sent) =>
      send.mutate(sent, {
        onSuccess: ({ user }) => welcome(user),
        onError: (error) => {
          const message = whyNot(error);
          if (!hasCode(error, 'WRONG_CODE')) toastError('Login failed', message);
          if (hasCode(error, 'SECOND_STEP_EXPIRED')) onBack();
          else refuse({ code: message, ...fieldsOf(error) });
        },
      }),
  );
  const swap = () => {
    change({ code: '' });
    refuse({});
    setRecovering(!recovering);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Box gap="$20">
        <Text tone="dim">
          {recovering
            ? 'Type one of the recovery codes that you kept. Each works once.'
            : 'Type the code that your authenticator app shows now.'}
        </Text>
        <Field
          key={String(recovering)}
          label={recovering ? 'Recovery code' : 'Code'}
          inputMode={recovering ? 'text' : 'numeric'}
          autoComplete={recovering ? 'off' : 'one-time-code'}
          autoCapitalize={recovering ? 'characters' : undefined}
          autoFocus
          {...field('code')}
        />
        <Button kind="primary" type="submit" size="large" wide busy={send.isPending} busyText="Signing in...">
          Continue
        </Button>
        <Row justifyContent="space-between" columnGap="$16" flexWrap="wrap">
          <TextButton onClick={swap}>{recovering ? 'Use my app' : 'Use a recovery code'}</TextButton>
          <TextButton onClick={onBack}>Back</TextButton>
        </Row>
      </Box>
    </form>
  );
};
