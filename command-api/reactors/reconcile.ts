/**
 * Compares the provider's newest intents with the log. A paid intent without a booking gets one, or is paid back. An intent that can
 * still be paid although its attempt has ended is cancelled.
 */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { type AdvanceDeps, advance, settleIntent } from '#command-api/purchase/advance.ts';
import { lostPayment } from '#command-api/purchase/lost-payment.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/kernel/policy.ts';
import type { Intent } from '#infra/payments/gateway.ts';

/** The result of a comparison. */
export interface Reconciled {
  readonly looked: number;
  /** How many were paid; each has a booking or a refund now. */
  readonly settled: number;
  /** How many were open although their attempt had ended; they are cancelled now. */
  readonly cancelled: number;
  /** How many are nobody's here. */
  readonly unknown: number;
  /** How many are payments of purchases that the log does not know, and how many of them are listed now. The others are found again. */
  readonly lost: number;
  readonly listed: number;
  readonly failures: readonly { readonly intentId: string; readonly reason: string }[];
}

/** Has a person look at a payment whose purchase the log does not know. */
type ListLost = (intentId: string, why: string) => Promise<void>;

/** Compares the provider with the log. */
export interface Reconciler {
  /** Compares the intents that were made since then, until `ending` is aborted. An intent that was in order before is skipped. */
  run(since: Date, acting: ActingLane, ending: AbortSignal, list: ListLost): Promise<Reconciled>;
}

/** An intent that is younger than this is skipped, since its buyer's own calls are under way; milliseconds. */
const TOO_YOUNG = 5_000;
const AT_ONCE = 8;
/** How far back a comparison goes: longer than any attempt can be open where tickets are held for so long; milliseconds. */
export const lookBack = (holdFor = HOLD_FOR): number => 2 * (holdFor + HOLD_GRACE);
/**
 * How far back the first comparison of a process goes, and then one every `LOOK_FAR_EVERY`, in milliseconds. A payment may come long
 * after its attempt was closed, and its webhook may be lost while the site is down.
 */
export const LOOK_FAR = 24 * 3_600_000;
export const LOOK_FAR_EVERY = 6 * 3_600_000;

type Finding = 'settled' | 'cancelled' | 'unknown' | 'in order' | 'open' | { readonly lost: string };

/**
 * Makes the reconciler of a process. It looks at no intent that this process has found, or put, in order: in a sale those are nearly all.
 * @param holdFor for how long tickets are held, in milliseconds
 */
export const createReconciler = (
  deps: AdvanceDeps & { readonly log: { readonly id: string } },
  holdFor = HOLD_FOR,
): Reconciler => {
  const { inOrder } = deps;

  const lookAtPaid = async (intent: Intent, acting: ActingLane): Promise<Finding> => {
    if ((await settleIntent(deps, intent, acting)) === 'settled') return 'settled';
    const lost = await lostPayment(deps, intent);
    return lost ? { lost } : 'unknown';
  };

  const end = async (intentId: string, acting: ActingLane): Promise<Finding> => {
    const after = await deps.gateway.cancelIntent(intentId);
    if (after?.status === 'succeeded') return lookAtPaid(after, acting);
    // An intent that the provider is processing may still be paid.
    return !after || after.status === 'canceled' ? 'cancelled' : 'open';
  };

  const lookAtOpen = async (intent: Intent, acting: ActingLane): Promise<Finding> => {
    const { purchase } = intent;
    if (!purchase) return 'unknown';
    const { userId, listingId, attempt } = purchase;
    const { state } = await acting.state(checkout, checkoutId(userId, listingId));
    const found = state.attempts.get(attempt);
    const now = deps.clock().getTime();
    if (!found) {
      if (intent.log !== deps.log.id) return 'unknown';
      // A copy of the site has the same log. What is still held may be a buyer's there.
      return now - intent.createdAt < holdFor + HOLD_GRACE ? 'open' : end(intent.id, acting);
    }
    if (!found.closed && found.intent?.intentId === intent.id) {
      const over = now >= Date.parse(found.until) || found.closing !== null;
      if (over) await advance(deps, { userId, listingId, attempt }, acting, { known: { checkout: found } });
      return 'open';
    }
    if (!found.closed && !found.intent && now < Date.parse(found.until)) return 'open';
    return end(intent.id, acting);
  };

  const look = async (intent: Intent, acting: ActingLane): Promise<Finding> => {
    if (intent.status === 'canceled') return 'in order';
    return intent.status === 'succeeded' ? lookAtPaid(intent, acting) : lookAtOpen(intent, acting);
  };

  return {
    async run(since, acting, ending, list) {
      const counts = { looked: 0, settled: 0, cancelled: 0, unknown: 0, lost: 0, listed: 0 };
      const failures: { intentId: string; reason: string }[] = [];
      const visit = async (intent: Intent): Promise<void> => {
        try {
          const finding = await look(intent, acting);
          if (typeof finding === 'object') {
            counts.lost++;
            // It is skipped from now on, so it is listed before anything else can fail.
            await list(intent.id, finding.lost);
            counts.listed++;
          }
          if (finding !== 'open') inOrder.set(intent.id, true);
          if (finding === 'settled' || finding === 'cancelled' || finding === 'unknown') counts[finding]++;
        } catch (error) {
          failures.push({
            intentId: intent.id,
            reason: error instanceof Error ? error.message : String(error),
          });
        }
      };
      const underWay = new Set<Promise<void>>();
      for await (const intent of deps.gateway.findIntents(since)) {
        if (ending.aborted) break;
        const young = deps.clock().getTime() - intent.createdAt < TOO_YOUNG;
        if (young || inOrder.get(intent.id)) continue;
        counts.looked++;
        const visiting = visit(intent).finally(() => underWay.delete(visiting));
        underWay.add(visiting);
        if (underWay.size >= AT_ONCE) await Promise.race(underWay);
      }
      await Promise.all(underWay);
      return { ...counts, failures };
    },
  };
};
