import { authCalls } from '#domain/contracts/auth.ts';
import { addressOf } from '#web/lib/api/client.ts';
import { hasCode } from '#web/lib/failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

export const SignInAgain = ({
  error,
  returnTo,
  children,
}: {
  error: unknown;
  returnTo: string;
  children: string;
}) =>
  hasCode(error, 'SIGN_IN_AGAIN') ? (
    <Notice
      tone="warn"
      alert
      title="Please sign in again first"
      action={
        <ButtonLink to={addressOf(authCalls.google, { query: { returnTo } })} reload size="small">
          Continue with Google
        </ButtonLink>
      }
    >
      {children}
    </Notice>
  ) : null;
