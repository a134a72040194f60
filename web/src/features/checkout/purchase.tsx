import { useRef } from 'react';
import type { Event } from '#domain/contracts/catalogue.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { ReachBar } from '#web/ui/bar.tsx';
import { Box } from '#web/ui/box.tsx';
import { Split } from '#web/ui/page.tsx';
import { Ticking } from '#web/ui/stepper.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Bought } from './bought.tsx';
import { ChooseTickets } from './choose-tickets.tsx';
import { NotHeld, PriceRose, VerifyFirst } from './notices.tsx';
import { PayButton, PayPanel } from './pay.tsx';
import { Summary } from './summary.tsx';
import type { Paying } from './use-payment.ts';
import { usePurchase } from './use-purchase.ts';

export const Purchase = ({ event, paying }: { event: Event; paying: Paying }) => {
  const purchase = usePurchase(event, paying);
  const { checkout, isPaying, isEmailVerified, unverified, soldOut } = purchase;
  // Pressed buttons may vanish with their notices.
  const top = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(top);
  if (purchase.boughtId !== undefined)
    return <Bought event={event} bookingId={purchase.boughtId} onMore={checkout.buyMore} />;
  return (
    <>
      <Heading render="h1" size="poster">
        Checkout
      </Heading>
      <Split
        asideWidth={420}
        phone="aside"
        main={
          <Box gap="$32">
            <Box
              gap="$32"
              ref={top}
              role="group"
              aria-label="What you are buying"
              tabIndex={-1}
              {...keptFocus}
            >
              {soldOut ? null : (
                <ChooseTickets event={event} checkout={checkout} disabled={isPaying || !isEmailVerified} />
              )}
              <NotHeld purchase={purchase} />
              <PriceRose checkout={checkout} />
            </Box>
            {unverified !== undefined ? (
              <VerifyFirst email={unverified} />
            ) : soldOut ? null : (
              <PayPanel purchase={purchase} />
            )}
          </Box>
        }
        aside={<Summary event={event} purchase={purchase} />}
      />
      {isEmailVerified && !soldOut ? (
        <ReachBar>
          <Box flex={1}>
            <Text size="small" tone="dim">
              Total
            </Text>
            <Heading render="span" size="title">
              <Ticking value={pounds(checkout.total)} />
            </Heading>
          </Box>
          <PayButton purchase={purchase} wide={false} />
        </ReachBar>
      ) : null}
    </>
  );
};
