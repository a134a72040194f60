import { useEffect, useRef, useState } from 'react';
import { codeRequest } from '#domain/contracts/auth.ts';
import type { AnswerOf } from '#domain/contracts/call.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { fieldsOf } from '#web/lib/api/client.ts';
import { secondStepIsOn } from '#web/lib/api/session.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { Text } from '#web/ui/text.tsx';
import { SignInAgain } from './sign-in-again.tsx';

type Begun = AnswerOf<typeof securityCalls.beginSecondFactor>;

const FirstCode = ({
  begun: { qr, uri, secret },
  onCodes,
}: {
  begun: Begun;
  onCodes: (codes: readonly string[]) => void;
}) => {
  const start = useRef<HTMLDivElement>(null);
  // The focused button has vanished; focusing the field would open a keyboard over the QR code.
  useEffect(() => start.current?.focus(), []);
  const confirm = useChange(securityCalls.confirmSecondFactor, {
    stale: [securityCalls.secondFactor, securityCalls.sessions],
    done: () => ({
      title: 'Your second step is on',
      description: 'Wherever else you were signed in, you are signed out.',
    }),
    failed: 'Your second step is not on yet',
  });
  const { field, refuse, submit } = useForm(
    { code: '' },
    (form) => check(codeRequest, form),
    (sent) =>
      confirm.mutate(sent, {
        onSuccess: ({ recoveryCodes }) => {
          secondStepIsOn();
          onCodes(recoveryCodes);
        },
        onError: (error) => refuse(fieldsOf(error)),
      }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Box gap="$20">
        <Box ref={start} tabIndex={-1}>
          <Text>Scan this with an authenticator app, then type the code that it shows.</Text>
        </Box>
        <Row gap="$24" flexWrap="wrap" alignItems="center">
          <img src={qr} alt="QR code for your authenticator app" width={208} height={208} className="qr" />
          <Box gap="$12" flexShrink={1} minWidth={200}>
            <Text size="small" tone="dim">
              Can’t scan it? Type this key into the app:
            </Text>
            <Text figures strong wordWrap="break-word">
              {secret.match(/.{1,4}/g)?.join(' ')}
            </Text>
            <Row>
              <ButtonLink to={uri} reload size="small">
                Open an app on this device
              </ButtonLink>
            </Row>
          </Box>
        </Row>
        <Field
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...field('code')}
        />
        <Row>
          <Button kind="primary" type="submit" busy={confirm.isPending} busyText="Checking...">
            Turn it on
          </Button>
        </Row>
      </Box>
    </form>
  );
};

export const Enrol = ({
  asksPassword,
  onCodes,
}: {
  asksPassword: boolean;
  onCodes: (codes: readonly string[]) => void;
}) => {
  const [asking, setAsking] = useState(false);
  const begin = useChange(securityCalls.beginSecondFactor, {
    stale: [],
    done: () => ({ title: 'Almost there', description: 'Show the code to your authenticator app.' }),
    failed: 'Your second step can’t be set up yet',
  });
  if (begin.data) return <FirstCode begun={begin.data} onCodes={onCodes} />;
  const start = () => (asksPassword ? setAsking(true) : begin.mutate({}));
  return (
    <>
      <Text tone="dim">
        A code from an app on your phone, besides your password: whoever learns the password still can’t sign
        in.
      </Text>
      <SignInAgain error={begin.error} returnTo="/profile/security">
        So that nobody else sets it up at your open browser.
      </SignInAgain>
      <Row>
        <Button kind="primary" busy={begin.isPending && !asking} busyText="One moment..." onClick={start}>
          Set it up
        </Button>
      </Row>
      {asking ? (
        <FormDialog
          title="Set up your second step"
          blank={{ password: '' }}
          check={(form) => ({ ok: true, value: form })}
          change={begin}
          submit="Continue"
          busyText="Checking..."
          onClose={() => setAsking(false)}
        >
          {({ field }) => (
            <Field
              label="Your password"
              type="password"
              autoComplete="current-password"
              {...field('password')}
            />
          )}
        </FormDialog>
      ) : null}
    </>
  );
};
