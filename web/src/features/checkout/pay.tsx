import { type FormEvent, lazy } from 'react';
import { pounds } from '#web/lib/formatters/money.ts';
import { Badge } from '#web/ui/badge.tsx';
import { From } from '#web/ui/bar.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CrashScreen } from '#web/ui/crash.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { PaymentSystemFailed } from './notices.tsx';
import type { Money, PaymentProblem } from './settling.ts';
import type { Purchase } from './use-purchase.ts';

const SandboxCard = lazy(() => import('./sandbox-card.tsx'));
const StripeCard = lazy(() => import('./stripe-card.tsx'));

const PAY_FORM = 'pay';

const NOT_BOOKED = 'Your tickets aren’t booked yet';

const whatItMeans: Record<PaymentProblem['money'], { readonly title: string; readonly words: string }> = {
  charged: {
    title: 'Your money is safe',
    words:
      'Your payment went through and is safe: the booking is being made, or all of it comes back to your card. Look in your profile in a minute before you try again.',
  },
  returned: {
    title: 'Your money comes back',
    words: 'All of it comes back to your card within 5-10 business days.',
  },
  unpaid: {
    title: NOT_BOOKED,
    words: 'You can pay again: these tickets are never charged twice.',
  },
  untouched: {
    title: NOT_BOOKED,
    words: 'Nothing was charged, and your tickets are still held.',
  },
  'held-anew': {
    title: NOT_BOOKED,
    words: 'Nothing was charged here. Check the tickets and the total, then pay.',
  },
};

const whatIsAsked: Record<Money, { readonly title: string; readonly words: string }> = {
  paid: {
    title: 'Your payment went through',
    words: 'Your booking is taking a little longer. We ask for it until it is here; don’t pay again.',
  },
  unknown: {
    title: 'We don’t know yet whether you have paid',
    words: 'The answer got lost on its way. We ask until we know; don’t pay again in the meantime.',
  },
  outdated: {
    title: 'We are looking for your booking',
    words: 'This was paid or opened again elsewhere. We ask until we know; don’t pay again in the meantime.',
  },
  none: {
    title: 'We don’t know yet whether your tickets are booked',
    words: 'The answer got lost on its way. We ask until we know.',
  },
};

const labelOf = ({ free, checkout: { quantity, total } }: Purchase): string => {
  if (!free) return `Pay ${pounds(total)}`;
  return `Book ${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, free`;
};

export const PayButton = ({ purchase, wide }: { purchase: Purchase; wide: boolean }) => (
  <Button
    type="submit"
    form={PAY_FORM}
    kind="primary"
    size="large"
    wide={wide}
    disabled={!purchase.ready}
    busy={purchase.isPaying}
    busyText={purchase.waiting ? 'Asking...' : purchase.free ? 'Booking...' : 'Paying...'}
  >
    {labelOf(purchase)}
  </Button>
);

const CardForm = ({ purchase: { config, card, isPaying, onCardFailed } }: { purchase: Purchase }) => {
  const waiting = <Skeleton height={186} />;
  if (config.isError) return <PaymentSystemFailed />;
  if (!config.data) return waiting;
  const Card = config.data.mode === 'sandbox' ? SandboxCard : StripeCard;
  return (
    <CrashScreen waiting={waiting} instead={<PaymentSystemFailed />}>
      <Card
        ref={card}
        publishableKey={config.data.publishableKey}
        disabled={isPaying}
        onFailed={onCardFailed}
      />
    </CrashScreen>
  );
};

/** Rendered below everything else, because it arrives late and must not shift the layout. */
const TestPayments = () => (
  <Row gap="$12" flexWrap="wrap">
    <Badge tone="warn">Test payments</Badge>
    <Text size="small" tone="dim">
      No money moves. The card 4242 4242 4242 4242 pays.
    </Text>
  </Row>
);

export const PayPanel = ({ purchase }: { purchase: Purchase }) => {
  const { free, pay, problem, ready, waiting } = purchase;
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (ready) pay();
  };
  return (
    <Panel gap="$24">
      <Row justifyContent="space-between" gap="$16">
        <Heading size="title">{free ? 'Nothing to pay' : 'Pay by card'}</Heading>
        <Row gap="$8" color="$dim">
          <Icon name="lock" size={18} />
          <Text size="small" tone="dim">
            Secure payment
          </Text>
        </Row>
      </Row>
      <form id={PAY_FORM} onSubmit={submit}>
        <Box gap="$24">
          {free ? (
            <Text tone="dim">No card needed. One press, and they are yours.</Text>
          ) : (
            <CardForm purchase={purchase} />
          )}
          {waiting ? (
            <Notice
              tone="warn"
              alert
              reveal
              title={whatIsAsked[waiting].title}
              action={
                <ButtonLink size="small" kind="plain" to="/profile">
                  Your bookings
                </ButtonLink>
              }
            >
              {whatIsAsked[waiting].words}
            </Notice>
          ) : null}
          {problem ? (
            <Notice tone="bad" alert reveal title={whatItMeans[problem.money].title}>
              {`${problem.message} ${whatItMeans[problem.money].words}`}
            </Notice>
          ) : null}
          <From width="wide">
            <PayButton purchase={purchase} wide />
          </From>
        </Box>
      </form>
      {purchase.config.data?.testPayments ? <TestPayments /> : null}
    </Panel>
  );
};
