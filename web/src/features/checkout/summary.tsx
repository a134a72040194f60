import type { Event } from '#domain/contracts/catalogue.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { ageRule } from '#web/lib/formatters/age.ts';
import { pounds, priceOf } from '#web/lib/formatters/money.ts';
import { when } from '#web/lib/formatters/when.ts';
import { From } from '#web/ui/bar.tsx';
import { Box, Row } from '#web/ui/box.tsx';
import { Poster } from '#web/ui/poster.tsx';
import { Ticking } from '#web/ui/stepper.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Ticket } from '#web/ui/ticket.tsx';
import { HoldClock } from './hold-clock.tsx';
import { subtotalOf } from './price.ts';
import type { Purchase } from './use-purchase.ts';

const Line = ({ words, amount }: { words: string; amount: string }) => (
  <Row justifyContent="space-between" gap="$16">
    <Text tone="dim" figures>
      {words}
    </Text>
    <Text figures>{amount}</Text>
  </Row>
);

export const Summary = ({
  event,
  purchase: { checkout, left, isEmailVerified },
}: {
  event: Event;
  purchase: Purchase;
}) => (
  <Ticket
    label="Your tickets"
    stub={
      <Box padding="$24" gap="$12">
        <Line
          words={`${checkout.quantity} × ${priceOf(event.price)}`}
          amount={pounds(toDecimal(subtotalOf(event.price, checkout.quantity)))}
        />
        {checkout.promo.code ? (
          <Line words={`Code ${checkout.promo.code}`} amount={`−${pounds(checkout.promo.discount)}`} />
        ) : null}
        <Row justifyContent="space-between" gap="$16" alignItems="baseline">
          <Text strong>Total</Text>
          <Heading render="span" size="headline">
            <Ticking value={pounds(checkout.total)} />
          </Heading>
        </Row>
        {checkout.pricing.state === 'held' ? (
          <HoldClock left={left} />
        ) : (
          <Box minHeight={25}>
            {isEmailVerified && checkout.pricing.state === 'pricing' ? (
              <Text size="small" tone="dim">
                Holding your tickets...
              </Text>
            ) : null}
          </Box>
        )}
      </Box>
    }
  >
    <From width="wide">
      <Poster of={event} ratio="4 / 3" sizes="420px" eager />
    </From>
    <Box padding="$24" gap="$8">
      <Heading render="h2" size="title">
        {event.title}
      </Heading>
      <Text figures>{when(event)}</Text>
      <Text size="small" tone="dim">
        {`${event.venue}, ${event.location}`}
      </Text>
      {event.minimumAge ? <Text size="small">{`${ageRule(event)}, on the day`}</Text> : null}
    </Box>
  </Ticket>
);
