import { type FormEvent, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import type { Event } from '#domain/contracts/catalogue.ts';
import { useSession } from '../../api/auth.ts';
import { useEvent } from '../../api/catalogue.ts';
import { usePaymentConfig } from '../../api/payments.ts';
import { useSite } from '../../api/site.ts';
import { Badge } from '../../ui/badge.tsx';
import { From, ReachBar } from '../../ui/bar.tsx';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Blank, Page, Split, useTitle } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Stepper, Ticking } from '../../ui/stepper.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { complain } from '../../ui/toast.tsx';
import { pounds } from '../../words/money.ts';
import type { CardFormHandle } from './card-form.ts';
import { useTimeLeft } from './hold-clock.tsx';
import { PaymentSystemFailed } from './payment-system-failed.tsx';
import { Promo } from './promo.tsx';
import { Summary } from './summary.tsx';
import { useCheckout } from './use-checkout.ts';
import { type PaymentProblem, usePayment } from './use-payment.ts';
import { VerifyFirst } from './verify-first.tsx';

const SandboxCard = lazy(() => import('./sandbox-card.tsx'));
const StripeCard = lazy(() => import('./stripe-card.tsx'));

const PAY_FORM = 'pay';

/** What a problem means for somebody's money, and what to do. */
const whatItMeans: Record<PaymentProblem['money'], string> = {
  charged:
    'Your payment went through and is safe: the booking is being made, or all of it comes back to your card. Look in your profile in a minute before you try again.',
  untouched: 'Nothing was charged, and your tickets are still held.',
  'held-anew': 'Nothing was charged here. Check the tickets and the total, then pay.',
};

const Purchase = ({ event }: { event: Event }) => {
  const { user, isEmailVerified } = useSession();
  const config = usePaymentConfig();
  const checkout = useCheckout(event, isEmailVerified);
  const card = useRef<CardFormHandle>(null);
  const { pay, isPaying, problem } = usePayment(event, checkout, card);
  const { pricing } = checkout;
  const intent = pricing.state === 'held' ? pricing.intent : undefined;
  const left = useTimeLeft(intent?.heldUntil);
  const ranOut = intent !== undefined && left <= 0 && !isPaying;
  const free = intent ? intent.clientSecret === null : checkout.total === '0.00';
  const [cardFailed, setCardFailed] = useState(false);
  const onCardFailed = useCallback(() => setCardFailed(true), []);
  const configFailed = config.isError;
  useEffect(() => {
    if (configFailed) complain('Error', 'Failed to load payment configuration');
  }, [configFailed]);

  if (pricing.state === 'failed' && pricing.code === 'ALREADY_PAID')
    return <Navigate to="/profile" replace />;

  /** Nobody's, and not held by this person either: there is nothing to pay for. */
  const soldOut = pricing.state === 'failed' && pricing.code === 'SOLD_OUT' && event.availableTickets <= 0;
  const ready = intent !== undefined && !ranOut && (free || (config.isSuccess && !cardFailed));
  const label = free
    ? `Book ${checkout.quantity} ${checkout.quantity === 1 ? 'ticket' : 'tickets'}, free`
    : `Pay ${pounds(checkout.total)}`;
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (ready) pay();
  };
  const button = (wide: boolean) => (
    <Button
      type="submit"
      form={PAY_FORM}
      kind="primary"
      size="large"
      wide={wide}
      disabled={!ready}
      busy={isPaying}
      busyText={free ? 'Booking...' : 'Paying...'}
    >
      {label}
    </Button>
  );

  return (
    <>
      <Row gap="$16" flexWrap="wrap" justifyContent="space-between">
        <Heading render="h1" size="poster">
          Checkout
        </Heading>
        {config.data?.testPayments ? (
          <Row gap="$12" flexWrap="wrap">
            <Badge tone="warn">Test payments</Badge>
            <Text size="small" tone="dim">
              No money moves. The card 4242 4242 4242 4242 pays.
            </Text>
          </Row>
        ) : null}
      </Row>
      <Split
        asideWidth={420}
        phone="aside"
        main={
          <Box gap="$32">
            {soldOut ? null : (
              <Panel gap="$24">
                <Row justifyContent="space-between" gap="$16" flexWrap="wrap">
                  <Box>
                    <Text strong>Tickets</Text>
                    <Text size="small" tone="dim" figures>
                      {event.price === '0.00' ? 'Free' : `${pounds(event.price)} each`}
                    </Text>
                  </Box>
                  <Stepper
                    noun="ticket"
                    value={checkout.quantity}
                    least={1}
                    most={checkout.most}
                    disabled={isPaying || !isEmailVerified}
                    onChange={checkout.changeQuantity}
                  />
                </Row>
                <Promo checkout={checkout} disabled={isPaying || !isEmailVerified} />
              </Panel>
            )}
            {pricing.state === 'failed' ? (
              <Notice
                tone="bad"
                alert
                title={
                  soldOut
                    ? 'Sold Out'
                    : pricing.code === 'SOLD_OUT'
                      ? 'Not enough tickets left'
                      : 'These tickets can’t be held'
                }
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
                {pricing.message}
              </Notice>
            ) : null}
            {ranOut ? (
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
            ) : null}
            {!isEmailVerified && user ? (
              <VerifyFirst email={user.email} />
            ) : soldOut ? null : (
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
                    ) : configFailed ? (
                      <PaymentSystemFailed />
                    ) : (
                      <Suspense fallback={<Skeleton height={186} />}>
                        {config.data?.mode === 'sandbox' ? (
                          <SandboxCard
                            ref={card}
                            publishableKey={config.data.publishableKey}
                            disabled={isPaying}
                            onFailed={onCardFailed}
                          />
                        ) : config.data ? (
                          <StripeCard
                            ref={card}
                            publishableKey={config.data.publishableKey}
                            disabled={isPaying}
                            onFailed={onCardFailed}
                          />
                        ) : (
                          <Skeleton height={186} />
                        )}
                      </Suspense>
                    )}
                    {problem ? (
                      <Notice tone="bad" alert reveal title={problem.title}>
                        {problem.message} {whatItMeans[problem.money]}
                      </Notice>
                    ) : null}
                    <From width="wide">{button(true)}</From>
                  </Box>
                </form>
              </Panel>
            )}
          </Box>
        }
        aside={<Summary event={event} checkout={checkout} left={left} />}
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
          {button(false)}
        </ReachBar>
      ) : null}
    </>
  );
};

/** Buys tickets for one event. The guard has seen to a signed-in person with a complete profile. */
export const CheckoutPage = () => {
  const { eventId = '' } = useParams();
  const { data: event, isPending, isError } = useEvent(eventId);
  const { siteName } = useSite();
  useTitle(event ? `Checkout: ${event.title}` : 'Checkout', siteName);
  const closed = event?.notBookable && event.notBookable !== 'sold_out';
  return (
    <Page gap="$24">
      <Link
        to={event ? `/events/${event.id}` : '/events'}
        className="footer-link"
        style={{ gap: 8, alignSelf: 'flex-start' }}
      >
        <Icon name="back" size={18} /> {event ? 'Back to the event' : 'All events'}
      </Link>
      {event && !closed ? (
        <Purchase event={event} />
      ) : event ? (
        <Blank
          title="Booking is closed"
          action={
            <ButtonLink to="/events" kind="primary">
              Browse Events
            </ButtonLink>
          }
        >
          {event.notBookable === 'started'
            ? 'This event has started, and sales close at the start.'
            : 'Tickets for this event are not on sale at the moment.'}
        </Blank>
      ) : isPending && !isError && /^\d+$/.test(eventId) ? (
        <Loading label="Loading the checkout">
          <Split
            asideWidth={420}
            main={
              <Box gap="$32">
                <Skeleton width="50%" height={52} />
                <Skeleton height={180} />
                <Skeleton height={320} />
              </Box>
            }
            aside={<Skeleton height={480} />}
          />
        </Loading>
      ) : (
        <Blank
          title="Event Not Found"
          action={
            <ButtonLink to="/events" kind="primary">
              Browse Events
            </ButtonLink>
          }
        />
      )}
    </Page>
  );
};
