import type { Event } from '#domain/contracts/catalogue.ts';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { Text } from '../../ui/text.tsx';
import { pounds } from '../../words/money.ts';
import { Promo } from './promo.tsx';
import type { Checkout } from './use-checkout.ts';

/** How many tickets, and a code that makes them cheaper. */
export const ChooseTickets = ({
  event,
  checkout,
  disabled,
}: {
  event: Event;
  checkout: Checkout;
  disabled: boolean;
}) => (
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
        disabled={disabled}
        onChange={checkout.changeQuantity}
      />
    </Row>
    <Promo checkout={checkout} disabled={disabled} />
  </Panel>
);
