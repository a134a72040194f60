import { type FormEvent, useState } from 'react';
import type { Event } from '#domain/contracts/catalogue.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TextButton } from '#web/ui/link.tsx';
import { Stepper } from '#web/ui/stepper.tsx';
import { Text } from '#web/ui/text.tsx';
import type { Checkout } from './use-checkout.ts';

/** Clearing the field removes the discount (specification, section 4). */
const Promo = ({ checkout, disabled }: { checkout: Checkout; disabled: boolean }) => {
  const { code: applied, discount } = checkout.promo;
  const [code, setCode] = useState(applied);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) checkout.applyPromo(code);
  };
  const change = (typed: string) => {
    setCode(typed);
    if (!typed.trim()) checkout.applyPromo('');
  };
  return (
    <Box gap={applied ? '$12' : 0}>
      <form onSubmit={submit}>
        <Row gap="$12" alignItems="flex-end">
          <Box flex={1}>
            <Field
              label="Promo code"
              name="promoCode"
              optional
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={50}
              value={code}
              disabled={disabled}
              readOnly={checkout.isCheckingPromo}
              onChange={(event) => change(event.target.value)}
            />
          </Box>
          <Button
            type="submit"
            kind="outline"
            disabled={disabled || !code.trim()}
            busy={checkout.isCheckingPromo}
            busyText="Checking..."
          >
            Apply
          </Button>
        </Row>
      </form>
      <Row columnGap="$12" justifyContent="space-between" flexWrap="wrap">
        {/* Always there: screen readers read what changes in a status, not one that comes with its words. */}
        <Row role="status" gap="$8" color="$good">
          {applied ? (
            <>
              <Icon name="check" />
              <Text figures>{`${applied} takes ${pounds(discount)} off`}</Text>
            </>
          ) : null}
        </Row>
        {applied && !disabled ? (
          <span style={{ visibility: checkout.isCheckingPromo ? 'hidden' : undefined }}>
            <TextButton onClick={() => change('')}>Remove</TextButton>
          </span>
        ) : null}
      </Row>
    </Box>
  );
};

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
        waiting={checkout.isCheckingPromo}
        onChange={checkout.changeQuantity}
      />
    </Row>
    <Promo checkout={checkout} disabled={disabled} />
  </Panel>
);
