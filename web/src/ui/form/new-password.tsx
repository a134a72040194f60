import { passwordRules } from '#domain/account/password.ts';
import { Row } from '#web/ui/box.tsx';
import { Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { Text, Unseen } from '#web/ui/text.tsx';
import type { FormParts } from './form-dialog.tsx';

const Rules = ({ password }: { password: string }) => (
  <ul>
    {passwordRules.map(({ rule, short, holds }) => (
      <li key={rule}>
        <Row gap="$8" color={holds(password) ? '$good' : '$dim'}>
          <Icon name={holds(password) ? 'check' : 'minus'} size={16} />
          <Text size="small" tone={holds(password) ? 'good' : 'dim'}>
            {short}
          </Text>
          {holds(password) ? <Unseen>, done</Unseen> : null}
        </Row>
      </li>
    ))}
  </ul>
);

export const NewPassword = ({
  form,
  field,
}: Pick<FormParts<{ password: string; confirmPassword: string }>, 'form' | 'field'>) => (
  <>
    <Field label="New password" type="password" autoComplete="new-password" {...field('password')} />
    <Rules password={form.password} />
    <Field
      label="Confirm new password"
      type="password"
      autoComplete="new-password"
      {...field('confirmPassword')}
    />
  </>
);
