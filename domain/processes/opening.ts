import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason, Quote } from '#domain/checkout/events.ts';
import {
  type Attempt,
  boughtUnknown,
  type CheckoutState,
  liveAttempt,
  type UnpaidHolds,
} from '#domain/checkout/state.ts';
import { holds } from '#domain/holds/holds.ts';
import type { HoldsState } from '#domain/holds/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets, type InventoryState } from '#domain/inventory/state.ts';
import { type Rejection, reject } from '#domain/kernel/decider.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { Pence } from '#domain/kernel/money.ts';
import {
  type Answer,
  areSteps,
  decide,
  load,
  type ProcessManager,
  type StreamRequest,
  stateOf,
} from '#domain/kernel/process.ts';
import {
  type IntentSeen,
  type ProviderCall,
  type ProviderReply,
  type PurchaseRest,
  type PurchaseStep,
  type PurchaseView,
  purchase,
} from './purchase.ts';

/** `amount`: discounted total on the buyer's page. */
export interface Wanted {
  readonly listingId: number;
  readonly quantity: number;
  readonly promoCode: string | null;
  readonly amount: Pence;
  /** The listing's last booking known to the buyer; null for none, undefined if the caller doesn't say. */
  readonly lastBookingId?: number | null | undefined;
}

/** Allocated before opening, so a repeat opens the same attempt. */
export interface AttemptIds {
  readonly attempt: string;
  readonly bookingId: number;
  readonly reference: string;
}

export interface HoldLimits {
  readonly live: number;
  readonly unpaid: UnpaidHolds;
}

/** What a process remembers of earlier purchases: possibly outdated, so it saves reads and decides nothing. */
export interface OpeningHints {
  /** The buyer's last attempt, which may have reserved the promotion. */
  readonly attempt?: string | undefined;
  /** A paid attempt whose booking is placed, so it need not be finished first. */
  readonly settled?: string | undefined;
  /** The tickets ran out a moment ago: look at them first, since opening and closing an attempt costs four events. */
  readonly ranOut?: boolean;
}

export interface Offer {
  readonly quote: Quote;
  readonly startsAt: string;
}

type RunName = 'place' | 'finish' | 'close' | 'hold' | 'pay';
type Found = IntentSeen & { readonly clientSecret: string | null };

/** `at`, the time of the request, and `until`, the end of the hold, are ISO instants. */
export interface OpeningView {
  readonly userId: string;
  readonly wanted: Wanted;
  readonly own: AttemptIds;
  readonly at: string;
  readonly until: string;
  readonly limits?: HoldLimits | undefined;
  readonly hints: OpeningHints;
  readonly checkout?: CheckoutState;
  readonly inventory?: InventoryState;
  readonly offer?: Offer;
  readonly unpriced?: { readonly rejection: Rejection; readonly by: 'wanted' | 'live' | 'held' };
  /** How often the checkout was asked to open, and what the last answer was. */
  readonly tries: number;
  readonly blocked?: Rejection;
  readonly attempt?: Attempt;
  readonly settled?: string | undefined;
  readonly counting?: 'counted' | { readonly over: readonly number[]; readonly rejection: Rejection };
  readonly holds?: HoldsState;
  readonly others: ReadonlyMap<number, CheckoutState>;
  /** Purchases taken forward since the last try. */
  readonly runs: Readonly<Partial<Record<RunName, PurchaseView>>>;
  readonly intent?: Found;
}

export type OpeningStep =
  | { readonly do: 'look-at-checkout' | 'look-at-inventory' | 'look-at-holds' | 'open' }
  | { readonly do: 'look-at-other'; readonly listingId: number }
  | { readonly do: 'price'; readonly by: 'wanted' | 'live' | 'held'; readonly live?: Attempt }
  | { readonly do: 'count-hold'; readonly over: readonly number[] }
  | { readonly do: 'find-intent'; readonly intentId: string }
  | {
      readonly do: 'purchase';
      readonly run: RunName;
      readonly known: PurchaseView;
      readonly step: PurchaseStep;
    };

/** `closed`: the attempt closed meanwhile, for the reason it names. */
export type OpeningRest =
  | { readonly opened: Attempt; readonly clientSecret: string | null }
  | { readonly closed: Attempt }
  | { readonly refused: Rejection };

/** `price`: for an attempt, which may have reserved its promotion, or at the price at which it is `held`. May be a second old. */
export type OpeningCall =
  | ProviderCall
  | { readonly call: 'find-intent'; readonly intentId: string }
  | { readonly call: 'price'; readonly attempt: string; readonly held: Quote | undefined };

export type OpeningReply =
  | ProviderReply
  | { readonly found: Found | undefined }
  | { readonly price: Offer | Rejection };

type Next = readonly OpeningStep[] | OpeningRest;

const MOST_TRIES = 6;
/** Milliseconds in which a counted hold's checkout may not be open yet: the two are appended concurrently. */
const OPENING = 5_000;

const next = (view: OpeningView): Next => {
  if (view.attempt) return proceed(view, view.attempt);
  if (view.blocked) return makeWay(view, view.blocked);
  if (view.tries > 0) return open(view);
  return (
    tellBought(view) ?? price(view) ?? (view.hints.ranOut ? demandTickets(view) : undefined) ?? open(view)
  );
};

const refuse = (code: ErrorCode, details?: Record<string, unknown>): OpeningRest => ({
  refused: reject(code, details),
});

const alreadyPaid = ({ bookingId }: Partial<Attempt> = {}): OpeningRest =>
  refuse('ALREADY_PAID', { bookingId });

/** For buyers unaware of their booking (lost answer, another tab or device); it is placed first. */
const tellBought = (view: OpeningView): Next | undefined => {
  const { lastBookingId } = view.wanted;
  if (lastBookingId === undefined) return undefined;
  if (!view.checkout) return [{ do: 'look-at-checkout' }];
  const bought = boughtUnknown(view.checkout, lastBookingId, view.at);
  if (!bought) return undefined;
  const { attempt, bookingId } = bought;
  const placed = run(view, 'place', { attempt, until: 'placed' });
  return 'rest' in placed ? refuse('JUST_BOUGHT', { bookingId }) : placed;
};

/** A promotion that is used up or has ended may still be the buyer's, by an open attempt. */
const price = (view: OpeningView): Next | undefined => {
  const { offer, unpriced, checkout: state, wanted } = view;
  if (offer) return undefined;
  if (!unpriced) return [{ do: 'price', by: 'wanted' }];
  const { rejection, by } = unpriced;
  const isUsedUp = rejection.rejected === 'PROMO_USED_UP' && by === 'wanted';
  const hasEnded = rejection.rejected === 'PROMO_INVALID' && by !== 'held';
  if (!isUsedUp && !hasEnded) return { refused: rejection };
  if (!state) return [{ do: 'look-at-checkout' }];
  const live = liveAttempt(state);
  if (!live) return { refused: rejection };
  if (isUsedUp)
    return (live.payment ? finish(view, live.attempt) : undefined) ?? [{ do: 'price', by: 'live', live }];
  const same = live.quote.quantity === wanted.quantity && live.quote.total === wanted.amount;
  return same ? [{ do: 'price', by: 'held', live }] : { refused: rejection };
};

const demandTickets = (view: OpeningView): Next | undefined => {
  const { checkout: opened, inventory: tickets, wanted } = view;
  if (!opened || !tickets) return [{ do: 'look-at-checkout' }, { do: 'look-at-inventory' }];
  const live = liveAttempt(opened);
  if (live?.payment) return undefined;
  const held = live ? (tickets.holds.get(live.attempt)?.quantity ?? 0) : 0;
  const available = leftOf(tickets) + held;
  return available < wanted.quantity ? refuse('SOLD_OUT', { available }) : undefined;
};

const leftOf = (tickets: InventoryState): number => Math.max(0, freeTickets(tickets));

/** The hold is counted beside the first try. */
const open = (view: OpeningView): Next => {
  if (view.tries === MOST_TRIES) return refuse('CHECKOUT_OPEN');
  return view.limits && !view.counting ? [{ do: 'open' }, { do: 'count-hold', over: [] }] : [{ do: 'open' }];
};

const settledOf = ({ runs, settled, hints }: OpeningView): string | undefined =>
  runs.finish?.attempt ?? settled ?? hints.settled;

/** Finishes a paid attempt, or closes one with another quote. */
const makeWay = (view: OpeningView, blocked: Rejection): Next => {
  const attempt = String(blocked.details?.attempt);
  const why = blocked.details?.why as ClosingReason;
  switch (blocked.rejected) {
    case 'ALREADY_PAID':
      return finish(view, attempt) ?? open(view);
    case 'CHECKOUT_OPEN':
      // With too few tickets left, the buyer keeps the current hold.
      return (
        (why === 'repriced' ? demandTickets(view) : undefined) ?? close(view, attempt, why) ?? open(view)
      );
    case 'JUST_BOUGHT':
      return tellBought(view) ?? { refused: blocked };
    default:
      return { refused: blocked };
  }
};

/** Refuses if this made its booking, so that a buyer unaware of it does not pay twice. */
const finish = (view: OpeningView, attempt: string): Next | undefined => {
  const finished = run(view, 'finish', { attempt });
  if (!('rest' in finished)) return finished;
  return finished.view.placed ? alreadyPaid(finished.view.checkout) : undefined;
};

const close = (view: OpeningView, attempt: string, why: ClosingReason): Next | undefined => {
  const closed = run(view, 'close', { attempt, close: why });
  if (!('rest' in closed)) return closed;
  if (closed.view.checkout?.payment) return alreadyPaid(closed.view.checkout);
  return closed.rest === 'waiting-for-provider' ? refuse('CHECKOUT_OPEN') : undefined;
};

const proceed = (view: OpeningView, attempt: Attempt): Next => {
  const isOwn = attempt.attempt === view.own.attempt;
  if (attempt.payment) return finish(view, attempt.attempt) ?? (isOwn ? alreadyPaid(attempt) : open(view));
  const tooMany = count(view);
  if (tooMany)
    return 'refused' in tooMany && isOwn
      ? (close(view, attempt.attempt, 'too_many_holds') ?? tooMany)
      : tooMany;
  if (!attempt.intent || attempt.closing) return hold(view, attempt);
  return resume(view, attempt) ?? close(view, attempt.attempt, 'abandoned') ?? open(view);
};

/** Awaited before tickets are held. Ends of holds are not recorded: look for them before refusing. */
const count = (view: OpeningView): Next | undefined => {
  const { counting, others } = view;
  if (!counting || counting === 'counted') return undefined;
  if (!view.holds) return [{ do: 'look-at-holds' }];
  const counted = (counting.rejection.details?.listingIds ?? []) as readonly number[];
  const unseen = counted.filter((listingId) => !others.has(listingId));
  if (unseen.length > 0) return unseen.map((listingId) => ({ do: 'look-at-other', listingId }));
  const ended = counted.filter((listingId) => hasEnded(view, listingId));
  if (ended.length === 0) return { refused: counting.rejection };
  return [{ do: 'count-hold', over: [...counting.over, ...ended] }];
};

const hasEnded = ({ holds: counted, others, until }: OpeningView, listingId: number): boolean => {
  const state = others.get(listingId) ?? checkout.initial;
  const live = liveAttempt(state);
  if (live) return live.payment !== null;
  const hold = counted?.get(listingId);
  return !hold || state.attempts.has(hold.attempt) || Date.parse(until) - Date.parse(hold.until) >= OPENING;
};

const hold = (view: OpeningView, attempt: Attempt): Next => {
  const held = run(view, 'hold', { attempt: attempt.attempt, checkout: attempt });
  if (!('rest' in held)) return held;
  const { checkout: now, clientSecret = null } = held.view;
  if (now?.closing === 'sold_out')
    return view.inventory
      ? refuse('SOLD_OUT', { available: leftOf(view.inventory) })
      : [{ do: 'look-at-inventory' }];
  if (now?.closing) return { closed: now };
  if (held.rest !== 'waiting-for-payment' || !now) return open(view);
  const opened = { opened: now, clientSecret };
  // Another call made the intent; fetch its secret.
  return now.intent && !clientSecret ? (resume(view, now) ?? opened) : opened;
};

/** Undefined if the intent can no longer be paid. */
const resume = (view: OpeningView, attempt: Attempt): Next | undefined => {
  const { intent } = view;
  if (!intent) return [{ do: 'find-intent', intentId: attempt.intent?.intentId ?? '' }];
  if (intent.status === 'canceled') return undefined;
  if (intent.status !== 'succeeded') return { opened: attempt, clientSecret: intent.clientSecret };
  const paid = run(view, 'pay', { attempt: attempt.attempt, checkout: attempt, paid: intent });
  return 'rest' in paid ? alreadyPaid(attempt) : paid;
};

interface Ended {
  readonly rest: PurchaseRest;
  readonly view: PurchaseView;
}

/** Takes a purchase forward, as a part of the opening. @returns its steps, or where it rests */
const run = (
  { userId, wanted: { listingId }, at, runs }: OpeningView,
  name: RunName,
  from: Pick<PurchaseView, 'attempt' | 'checkout' | 'paid' | 'close' | 'until'>,
): Next | Ended => {
  const known = runs[name] ?? { ...from, userId, listingId, at };
  const rest = purchase.next(known);
  if (areSteps(rest)) return rest.map((step) => ({ do: 'purchase', run: name, known, step }));
  return known.stuck ? refuse(known.stuck) : { rest, view: known };
};

const request = (view: OpeningView, step: OpeningStep): StreamRequest | OpeningCall => {
  const { userId, wanted, own, at, until, limits } = view;
  const { listingId, lastBookingId } = wanted;
  switch (step.do) {
    case 'look-at-checkout':
      return load(checkout, checkoutId(userId, listingId));
    case 'look-at-inventory':
      return load(inventory, listingId);
    case 'look-at-holds':
      return load(holds, userId);
    case 'look-at-other':
      return load(checkout, checkoutId(userId, step.listingId));
    case 'price': {
      const attempt = step.live?.attempt ?? view.hints.attempt ?? own.attempt;
      return { call: 'price', attempt, held: step.by === 'held' ? step.live?.quote : undefined };
    }
    case 'open': {
      if (!view.offer) throw new Error(`attempt ${own.attempt}: open before it was priced`);
      const asked = { at, settled: settledOf(view), lastBookingId, unpaidHolds: limits?.unpaid };
      const facts = { ...own, userId, listingId, until, ...view.offer };
      return decide(checkout, checkoutId(userId, listingId), { type: 'OpenCheckout', ...facts, ...asked });
    }
    case 'count-hold': {
      const { attempt } = own;
      const counted = { userId, listingId, attempt, until, at, over: step.over, most: limits?.live ?? 0 };
      return decide(holds, userId, { type: 'CountHold', ...counted });
    }
    case 'find-intent':
      return { call: 'find-intent', intentId: step.intentId };
    case 'purchase':
      return purchase.request(step.known, step.step);
  }
};

const opened = (view: OpeningView, answer: Answer): OpeningView => {
  const tried = {
    ...view,
    ...{ tries: view.tries + 1, settled: settledOf(view), runs: {} },
    ...{ attempt: undefined, blocked: undefined, intent: undefined, inventory: undefined },
  };
  if ('rejected' in answer) {
    const bought = answer.rejected === 'JUST_BOUGHT';
    return { ...tried, blocked: answer, checkout: bought ? undefined : view.checkout };
  }
  const state = stateOf(answer, checkout) ?? checkout.initial;
  return { ...tried, attempt: state.attempts.get(view.own.attempt) ?? liveAttempt(state) };
};

/**
 * Opens a checkout: prices it, opens the attempt, and holds its tickets by the purchase. An open attempt with
 * the same quote continues; one with another quote is closed and its intent cancelled first; a paid one is
 * finished first.
 */
export const opening: ProcessManager<OpeningView, OpeningStep, OpeningRest, OpeningCall, OpeningReply> = {
  name: 'opening',
  next,
  request,
  apply(view, step, answer) {
    if (step.do === 'purchase') {
      const reply = answer as Answer | ProviderReply;
      const taken = purchase.apply(view.runs[step.run] ?? step.known, step.step, reply);
      return { ...view, runs: { ...view.runs, [step.run]: taken } };
    }
    if (step.do === 'price' && 'price' in answer) {
      if (!('rejected' in answer.price)) return { ...view, offer: answer.price };
      const unpriced = { rejection: answer.price, by: step.by };
      return { ...view, unpriced, checkout: step.by === 'wanted' ? undefined : view.checkout };
    }
    if (step.do === 'find-intent' && 'found' in answer) {
      const unknown = { id: step.intentId, status: 'canceled', amount: 0, currency: 'gbp' } as const;
      return { ...view, intent: answer.found ?? { ...unknown, clientSecret: null } };
    }
    const said = answer as Answer;
    if (step.do === 'open') return opened(view, said);
    if (step.do === 'count-hold') {
      const { over } = step;
      const counting = 'rejected' in said ? { over, rejection: said } : 'counted';
      return { ...view, counting, holds: undefined, others: new Map() };
    }
    if ('rejected' in said) return view;
    if (step.do === 'look-at-other') {
      const other = stateOf(said, checkout) ?? checkout.initial;
      return { ...view, others: new Map(view.others).set(step.listingId, other) };
    }
    return {
      ...view,
      checkout: stateOf(said, checkout) ?? view.checkout,
      inventory: stateOf(said, inventory) ?? view.inventory,
      holds: stateOf(said, holds) ?? view.holds,
    };
  },
};
