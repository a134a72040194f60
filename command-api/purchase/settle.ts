import type { ActingLane } from '#command-api/lane/lane.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Intent } from '#infra/payments/gateway.ts';
import { type AdvanceDeps, type Advanced, advance } from './advance.ts';

/** Thrown for an attempt that no step can bring further: people have to look at it. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
}

/** @throws Stuck */
export const notStuck = (advanced: Advanced): Advanced => {
  const { stuck, attempt } = advanced.view;
  if (stuck) throw new Stuck(`attempt ${attempt}: ${stuck}`);
  return advanced;
};

/**
 * What the provider says of an intent, brought into the log: money that is there is recorded and its purchase completed, or
 * paid back where no ticket is left. `unknown`: not one of ours, or of another log. Repeatable.
 * @throws Stuck when the payment doesn't fit its attempt
 */
export const settleIntent = async (
  deps: AdvanceDeps,
  { id: intentId, status, amount, currency, purchase }: Intent,
  acting: ActingLane,
): Promise<'settled' | 'unpaid' | 'unknown'> => {
  if (!purchase) return 'unknown';
  if (status !== 'succeeded') return 'unpaid';
  const { attempt, userId, listingId } = purchase;
  const command = { type: 'RecordPayment', attempt, intentId, amount, currency } as const;
  const outcome = await acting.ask(checkout, checkoutId(userId, listingId), command);
  if (!outcome.ok) {
    const { rejected } = outcome.rejection;
    if (rejected === 'CHECKOUT_NOT_FOUND') return 'unknown';
    throw new Stuck(`intent ${intentId} of attempt ${attempt}: ${rejected}`);
  }
  const known = { checkout: outcome.state.attempts.get(attempt) };
  notStuck(await advance(deps, { attempt, userId, listingId }, acting, { known }));
  return 'settled';
};
