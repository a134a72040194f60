import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '#domain/contracts/call.ts';
import { ownerAndCodeRequest, securityCalls } from '#domain/contracts/security.ts';
import { userChanged } from '#web/lib/api/session.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { Text } from '#web/ui/text.tsx';

const FEW = 3;

type Change = Parameters<typeof FormDialog<{ password: string; code: string }, OwnerAndCode>>[0]['change'];
type OwnerAndCode = { readonly password?: string | undefined; readonly code: string };

const Confirmed = ({
  title,
  submit,
  danger,
  change,
  asksPassword,
  onClose,
  children,
}: {
  title: string;
  submit: string;
  danger?: boolean;
  change: Change;
  asksPassword: boolean;
  onClose: () => void;
  children: ReactNode;
}) => (
  <FormDialog
    title={title}
    blank={{ password: '', code: '' }}
    check={({ password, code }) => check(ownerAndCodeRequest, asksPassword ? { password, code } : { code })}
    change={change}
    submit={submit}
    busyText="Checking..."
    danger={danger ?? false}
    onClose={onClose}
  >
    {({ field }) => (
      <>
        <Text tone="dim">{children}</Text>
        {asksPassword ? (
          <Field
            label="Your password"
            type="password"
            autoComplete="current-password"
            {...field('password')}
          />
        ) : null}
        <Field
          label="Code"
          autoComplete="one-time-code"
          hint="From your app, or one of your recovery codes."
          {...field('code')}
        />
      </>
    )}
  </FormDialog>
);

export const Enrolled = ({
  status: { recoveryCodes, required },
  asksPassword,
  onCodes,
}: {
  status: AnswerOf<typeof securityCalls.secondFactor>;
  asksPassword: boolean;
  onCodes: (codes: readonly string[]) => void;
}) => {
  const [asking, setAsking] = useState<'codes' | 'removal'>();
  const stale = [securityCalls.secondFactor];
  const renew = useChange(securityCalls.renewRecoveryCodes, {
    stale,
    done: (answer) => {
      onCodes(answer.recoveryCodes);
      return { title: 'You have new recovery codes', description: 'The old ones don’t work any more.' };
    },
    failed: 'You have no new recovery codes',
  });
  const remove = useChange(securityCalls.removeSecondFactor, {
    stale,
    done: ({ message }) => {
      userChanged();
      return { title: 'Your second step is off', description: message };
    },
    failed: 'Your second step is still on',
  });
  const close = () => setAsking(undefined);
  return (
    <>
      <Row gap="$12" flexWrap="wrap">
        <Badge tone="good">On</Badge>
        <Text tone={recoveryCodes < FEW ? 'warn' : 'dim'} figures>
          {recoveryCodes === 1 ? '1 recovery code is left' : `${recoveryCodes} recovery codes are left`}
        </Text>
      </Row>
      <Text tone="dim">Signing in takes a code of your authenticator app besides your password.</Text>
      <Row gap="$12" flexWrap="wrap">
        <Button onClick={() => setAsking('codes')}>New recovery codes</Button>
        <Button kind="plain" onClick={() => setAsking('removal')}>
          Remove
        </Button>
      </Row>
      {asking === 'codes' ? (
        <Confirmed
          title="New recovery codes"
          submit="Make new codes"
          change={renew}
          asksPassword={asksPassword}
          onClose={close}
        >
          The ones that you have stop working.
        </Confirmed>
      ) : null}
      {asking === 'removal' ? (
        <Confirmed
          title="Remove your second step?"
          submit="Remove it"
          danger
          change={remove}
          asksPassword={asksPassword}
          onClose={close}
        >
          {required
            ? 'Until you set it up again, you can do no more than a customer. To change phones, remove it here and set it up on the new one.'
            : 'Signing in then takes your password alone. To change phones, remove it here and set it up on the new one.'}
        </Confirmed>
      ) : null}
    </>
  );
};
