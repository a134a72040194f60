import { ResendVerification } from '#web/features/accounts/sign-in/resend-verification.tsx';
import { pounds } from '#web/lib/formatters/money.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Purchase } from './use-purchase.ts';

const titleOf = (code: string | undefined, soldOut: boolean): string => {
  if (soldOut) return 'Sold Out';
  if (code === 'TOO_YOUNG') return 'This event has a minimum age';
  return code === 'SOLD_OUT' ? 'Not enough tickets left' : 'These tickets can’t be held';
};

const sayLeft = (available: number): string =>
  `Only ${available === 1 ? '1 ticket is' : `${available} tickets are`} left. Take fewer, and they are held for you.`;

export const NotHeld = ({ purchase: { checkout, refusal, soldOut, ranOut } }: { purchase: Purchase }) => {
  if (refusal)
    return (
      <Notice
        tone="bad"
        alert
        title={titleOf(refusal.code, soldOut)}
        action={
          <>
            {refusal.code === 'TOO_YOUNG' ? null : (
              <Button size="small" onClick={checkout.holdAgain}>
                Try again
              </Button>
            )}
            <ButtonLink size="small" kind="plain" to="/events">
              Other events
            </ButtonLink>
          </>
        }
      >
        {refusal.available ? sayLeft(refusal.available) : refusal.message}
      </Notice>
    );
  if (ranOut)
    return (
      <Notice
        tone="warn"
        alert
        title="Your tickets are no longer held"
        action={
          <Button size="small" onClick={checkout.holdAgain}>
            Hold them again
          </Button>
        }
      >
        They went back on sale after 15 minutes. Nothing was charged.
      </Notice>
    );
  return null;
};

export const PriceRose = ({ checkout }: { checkout: Purchase['checkout'] }) =>
  checkout.risenFrom === undefined ? null : (
    <Notice
      tone="warn"
      alert
      reveal
      title="The price has changed"
      action={
        <Button size="small" onClick={checkout.agree}>
          {`Go on at ${pounds(checkout.total)}`}
        </Button>
      }
    >
      {`Your total was ${pounds(checkout.risenFrom)} and is now ${pounds(checkout.total)}.`}
    </Notice>
  );

export const VerifyFirst = ({ email }: { email: string }) => (
  <Notice tone="warn" title="Email Verification Required" action={<ResendVerification email={email} />}>
    Please verify your email address before booking tickets. Check your inbox for a verification link.
  </Notice>
);

export const PaymentSystemFailed = () => (
  <Notice
    tone="bad"
    alert
    title="Failed to load payment system"
    action={
      <Button size="small" onClick={() => location.reload()}>
        Reload Page
      </Button>
    }
  >
    Nothing was charged, and your tickets stay held while the time runs.
  </Notice>
);
