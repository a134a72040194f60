import { passwordRules } from '#domain/account/password.ts';
import { Row } from '../ui/box.tsx';
import { Icon } from '../ui/icons.tsx';
import { Text } from '../ui/text.tsx';

/** The rules of a new password, each with a tick once the typed one keeps it. */
export const PasswordRules = ({ password }: { password: string }) => (
  <ul>
    {passwordRules.map(({ rule, short, holds }) => (
      <li key={rule}>
        <Row gap="$8" color={holds(password) ? '$good' : '$dim'}>
          <Icon name={holds(password) ? 'check' : 'minus'} size={16} />
          <Text size="small" tone={holds(password) ? 'good' : 'dim'}>
            {short}
          </Text>
        </Row>
      </li>
    ))}
  </ul>
);
