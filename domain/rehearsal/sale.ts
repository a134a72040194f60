/**
 * A sale rehearsed: the same people at the same moments, decided by the rules of the inventory on a state of its own. It is pure: whoever
 * plays it chooses the pace.
 */
import { quotePrice } from '#domain/checkout/quote.ts';
import { type InventoryCommand, inventory } from '#domain/inventory/inventory.ts';
import { freeTickets, type InventoryState } from '#domain/inventory/state.ts';
import { isRejection, type Rejection } from '#domain/kernel/decider.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { type Pence, percentOf } from '#domain/kernel/money.ts';
import type { Moment } from './past.ts';
import type { Asker, SaleScript, SaleStep } from './sale-script.ts';
import { type SaleFigures, SaleTally } from './sale-tally.ts';

/** What is to be another than in fact. What is missing stays as it was. */
export interface SaleChanges {
  readonly capacity?: number | undefined;
  /** Of one ticket, in pence. Promotions take off what they took off then. */
  readonly price?: Pence | undefined;
  /** How long tickets are held, in milliseconds. */
  readonly hold?: number | undefined;
}

/** The price that an asker would be told; undefined if it is too small to charge. */
const priceOf = ({ quote, discount }: Asker, unitPrice: Pence | undefined): Pence | undefined => {
  if (unitPrice === undefined || unitPrice === quote.unitPrice) return quote.total;
  // Without its terms a promotion takes off the same amount.
  const terms = discount ?? { discountType: 'fixed', discountValue: quote.discount };
  const promotion = quote.promotion && { ...quote.promotion, ...terms };
  const priced = quotePrice({ unitPrice, quantity: quote.quantity, promotion });
  return 'rejected' in priced ? undefined : priced.total;
};

/** A hold of another length than an asker's own was, in milliseconds; undefined if it lasts as long. */
const otherHold = ({ hold: own }: Asker, { hold }: SaleChanges): number | undefined =>
  hold === undefined || Math.abs(hold - own) < SAME_HOLD ? undefined : hold;
/** Holds that differ by less than this are the same: an attempt has its time a little before its hold. */
const SAME_HOLD = 1_000;

/**
 * What people do under the changes, in the order of its times. Whoever was refused in fact and now gets tickets pays after as long as the
 * middle buyer took, but while the tickets are held. Holds lapse as much earlier or later as they are shorter or longer.
 */
const stepsUnder = ({ steps, askers, patience }: SaleScript, changes: SaleChanges): readonly SaleStep[] => {
  const lapsed = new Set<string>();
  for (const step of steps) if (step.do === 'let-go' && step.why === 'expired') lapsed.add(step.attempt);
  const all = steps.flatMap((step): readonly SaleStep[] => {
    const asker = step.do === 'ask' || step.do === 'let-go' ? askers.get(step.attempt) : undefined;
    if (!asker) return [step];
    const { attempt } = asker;
    const hold = otherHold(asker, changes);
    if (step.do === 'let-go') {
      if (step.why !== 'expired' || hold === undefined) return [step];
      const later = hold - asker.hold;
      return [{ ...step, at: step.at + later, moment: step.moment + later }];
    }
    if (step.do !== 'ask') return [step];
    const { at, refused } = step;
    const followed: SaleStep[] = [step];
    if (refused?.why === 'soldOut') {
      const pays = at + Math.min(patience, hold ?? asker.hold);
      followed.push({ do: 'pay', at: pays, attempt, refused: null, ifHeld: true });
    }
    if (hold !== undefined && !lapsed.has(attempt))
      followed.push({ do: 'let-go', at: at + hold, attempt, why: 'expired', moment: at + hold });
    return followed;
  });
  return all.sort((a, b) => a.at - b.at);
};

/** Plays a sale step by step. Each moment is the one after its step. */
export function* playSale(script: SaleScript, changes: SaleChanges): Generator<Moment<SaleFigures>, void> {
  const { askers, given } = script;
  const costs = new Map<string, Pence | undefined>();
  for (const asker of askers.values()) costs.set(asker.attempt, priceOf(asker, changes.price));
  const attemptOf = new Map([...askers.values()].map(({ bookingId, attempt }) => [bookingId, attempt]));
  const tally = new SaleTally(
    {
      cost: (attempt) => costs.get(attempt) ?? 0,
      back(bookingId) {
        const { percent = 0, refund = 0 } = given.get(bookingId) ?? {};
        const attempt = attemptOf.get(bookingId) ?? '';
        const cost = costs.get(attempt) ?? 0;
        return cost === askers.get(attempt)?.quote.total ? refund : percentOf(cost, percent);
      },
    },
    script.span,
  );

  let state: InventoryState = inventory.initial;
  const refusedInFact = new Set<string>();
  for (const step of script.steps) if (step.do === 'ask' && step.refused) refusedInFact.add(step.attempt);
  /** The attempt that each person holds tickets with, or held last. */
  const holding = new Map<string, string>();
  const decide = (command: InventoryCommand, at: number): Rejection | undefined => {
    const decision = inventory.decide(state, command);
    if (isRejection(decision)) return decision;
    for (const event of decision) {
      state = inventory.evolve(state, event, '');
      tally.happened(event, state, at);
    }
    return undefined;
  };
  const refuse = (why: ErrorCode): void => tally.refused(why === 'SOLD_OUT' ? 'soldOut' : 'otherwise');
  /** Who got no tickets when they asked: they pay nothing. */
  const turnedAway = new Set<string>();

  const ask = ({ at, attempt, refused }: Extract<SaleStep, { do: 'ask' }>, asker: Asker): void => {
    const { bookingId, userId, quote } = asker;
    tally.asked(at);
    turnedAway.add(attempt);
    if (refused && (refused.why === 'otherwise' || freeTickets(state) <= refused.free)) {
      tally.refused(refused.why);
      return;
    }
    if (costs.get(attempt) === undefined) {
      tally.refused('otherwise');
      return;
    }
    // A longer hold may still go on when the person asks again: their checkout gives it up first.
    const before = askers.get(holding.get(userId) ?? '');
    if (changes.hold !== undefined && before && state.holds.has(before.attempt)) {
      const { attempt: earlier, bookingId: its } = before;
      decide(
        {
          type: 'ReleaseHold',
          attempt: earlier,
          bookingId: its,
          why: 'repriced',
          at: new Date(at).toISOString(),
        },
        at,
      );
    }
    const hold = otherHold(asker, changes);
    const until = hold === undefined ? asker.until : at + hold;
    const held = { attempt, bookingId, userId, quantity: quote.quantity };
    const rejection = decide({ type: 'HoldTickets', ...held, until: new Date(until).toISOString() }, at);
    if (rejection) {
      refuse(rejection.rejected);
      return;
    }
    turnedAway.delete(attempt);
    holding.set(userId, attempt);
  };

  const pay = (
    { at, attempt, refused, ifHeld }: Extract<SaleStep, { do: 'pay' }>,
    { bookingId, userId, quote }: Asker,
  ): void => {
    if (turnedAway.has(attempt)) return;
    const isHeld = state.holds.has(attempt);
    if (refused && (refused.why === 'otherwise' || (!isHeld && freeTickets(state) <= refused.free))) {
      tally.refused(refused.why);
      return;
    }
    if (ifHeld && !isHeld) return;
    const sold = { attempt, bookingId, userId, quantity: quote.quantity };
    const rejection = decide({ type: 'SellTickets', ...sold }, at);
    if (rejection) refuse(rejection.rejected);
  };

  const letGo = (
    { at, attempt, why, moment }: Extract<SaleStep, { do: 'let-go' }>,
    bookingId: number,
  ): void => {
    // Who was refused in fact, and holds tickets here, has nothing to let go of yet.
    if (why === 'refused' && refusedInFact.has(attempt) && state.holds.has(attempt)) return;
    const release = { attempt, bookingId, why, at: new Date(moment).toISOString() };
    decide({ type: 'ReleaseHold', ...release }, at);
  };

  const play = (step: SaleStep): void => {
    const { at } = step;
    switch (step.do) {
      case 'ask':
      case 'pay':
      case 'let-go': {
        const asker = askers.get(step.attempt);
        if (!asker) break;
        if (step.do === 'ask') ask(step, asker);
        else if (step.do === 'pay') pay(step, asker);
        else letGo(step, asker.bookingId);
        break;
      }
      case 'return':
        decide({ type: 'ReturnTickets', bookingId: step.bookingId, cancellation: step.cancellation }, at);
        break;
      case 'retake': {
        const { do: _, at: __, unfilled, ...retaken } = step;
        // Who got no tickets here has no booking to be made good again.
        if (unfilled || state.sales.has(step.bookingId))
          decide({ type: 'RetakeTickets', ...retaken, withdrawal: null }, at);
        break;
      }
      case 'change-capacity':
        if (changes.capacity === undefined) decide({ type: 'ChangeCapacity', capacity: step.capacity }, at);
        break;
      case 'close':
        decide({ type: 'CloseSales', why: step.why }, at);
    }
  };

  const { listingId, span } = script;
  const capacity = changes.capacity ?? script.capacity;
  decide({ type: 'OpenInventory', listingId, capacity }, span.from);
  const figures = () => tally.figures(state);
  const steps = stepsUnder(script, changes);
  for (const [index, step] of steps.entries()) {
    play(step);
    yield { at: step.at, played: index + 1, of: steps.length, figures };
  }
}
