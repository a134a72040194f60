import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Purchase } from './use-purchase.ts';

const titleOf = (code: string | undefined, soldOut: boolean): string => {
  if (soldOut) return 'Sold Out';
  return code === 'SOLD_OUT' ? 'Not enough tickets left' : 'These tickets can’t be held';
};

/** Why no tickets are held for this person, and the way on. */
export const NotHeld = ({ purchase: { checkout, refusal, soldOut, ranOut } }: { purchase: Purchase }) => {
  if (refusal)
    return (
      <Notice
        tone="bad"
        alert
        title={titleOf(refusal.code, soldOut)}
        action={
          <>
            <Button size="small" onClick={checkout.holdAgain}>
              Try again
            </Button>
            <ButtonLink size="small" kind="plain" to="/events">
              Other events
            </ButtonLink>
          </>
        }
      >
        {refusal.message}
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
