import { useImperativeHandle, useRef, useState } from 'react';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Text } from '#web/ui/text.tsx';
import { expiryOf, groupCvc, groupExpiry, groupNumber } from './card-fields.ts';
import { type CardFormProps, type CardOutcome, refusedBy } from './card-form.ts';
import { answerChallenge, confirmCard, type Outcome } from './sandbox.ts';

interface Challenge {
  readonly url: string;
  readonly clientSecret: string;
  readonly answer: (outcome: CardOutcome) => void;
}

const outcomeOf = (outcome: Outcome): CardOutcome => {
  if (outcome.state === 'refused') return refusedBy(outcome.message, outcome.code);
  return outcome.state === 'challenge' ? { state: 'unknown' } : { state: outcome.state };
};

/** The card form of the sandbox. The provider's test cards behave as documented, and no money moves. */
const SandboxCard = ({ publishableKey, disabled, ref }: CardFormProps) => {
  const [number, setNumber] = useState('');
  const [expiry, setExpiry] = useState('');
  const [cvc, setCvc] = useState('');
  const [challenge, setChallenge] = useState<Challenge>();
  const typed = useRef({ number, expiry, cvc });
  typed.current = { number, expiry, cvc };

  useImperativeHandle(
    ref,
    () => ({
      async pay(clientSecret) {
        const card = typed.current;
        const outcome = await confirmCard(publishableKey, clientSecret, {
          number: card.number.replace(/\s/g, ''),
          ...expiryOf(card.expiry),
          cvc: card.cvc,
        });
        if (outcome.state !== 'challenge') return outcomeOf(outcome);
        return new Promise<CardOutcome>((answer) => setChallenge({ url: outcome.url, clientSecret, answer }));
      },
    }),
    [publishableKey],
  );

  const answered = async (complete: boolean) => {
    if (!challenge) return;
    setChallenge(undefined);
    challenge.answer(outcomeOf(await answerChallenge(challenge.url, challenge.clientSecret, complete)));
  };

  return (
    <Box gap="$20">
      <Field
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="4242 4242 4242 4242"
        required
        value={number}
        disabled={disabled}
        onChange={(event) => setNumber(groupNumber(event.target.value))}
      />
      <Row gap="$16" alignItems="flex-start">
        <Box flex={1}>
          <Field
            label="Expiry"
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="MM / YY"
            required
            value={expiry}
            disabled={disabled}
            onChange={(event) => setExpiry(groupExpiry(event.target.value, expiry))}
          />
        </Box>
        <Box flex={1}>
          <Field
            label="Security code"
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="CVC"
            required
            value={cvc}
            disabled={disabled}
            onChange={(event) => setCvc(groupCvc(event.target.value))}
          />
        </Box>
      </Row>
      <Dialog open={!!challenge} onClose={() => answered(false)} title="Your bank asks: is it you?">
        <Box gap="$24">
          <Text>This is a test of a card that has to be confirmed with its bank. No money moves.</Text>
          <Row gap="$12" flexWrap="wrap" justifyContent="flex-end">
            <Button kind="outline" onClick={() => answered(false)}>
              Fail authentication
            </Button>
            <Button kind="primary" onClick={() => answered(true)}>
              Complete authentication
            </Button>
          </Row>
        </Box>
      </Dialog>
    </Box>
  );
};
export default SandboxCard;
