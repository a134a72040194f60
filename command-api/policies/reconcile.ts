/** A paid intent without a booking is booked or refunded; a payable intent of an ended attempt is cancelled. */
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { lostPayment } from '#command-api/purchase/lost-payment.ts';
import { carryOutPurchase, type PurchaseDeps, settleIntent } from '#command-api/purchase/purchase.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/kernel/policy.ts';
import type { Intent } from '#infra/payments/gateway.ts';

export interface Reconciled {
  readonly looked: number;
  readonly settled: number;
  readonly cancelled: number;
  readonly unknown: number;
  /** Payments of purchases missing from the log. Some are listed for a person now; the rest will be found again. */
  readonly lost: number;
  readonly listed: number;
  readonly failures: readonly { readonly intentId: string; readonly reason: string }[];
}

type ListLost = (intentId: string, why: string) => Promise<void>;

export interface Reconciler {
  run(since: Date, acting: ActingHandler, ending: AbortSignal, list: ListLost): Promise<Reconciled>;
}

/** Milliseconds in which the buyer's own calls are in progress. */
const TOO_YOUNG = 5_000;
const AT_ONCE = 8;
/** Milliseconds, longer than any attempt can be open. */
export const lookBack = (holdFor = HOLD_FOR): number => 2 * (holdFor + HOLD_GRACE);
/**
 * Milliseconds, for a process's first comparison and then every `LOOK_FAR_EVERY`: a late payment's webhook
 * may be lost during downtime.
 */
export const LOOK_FAR = 24 * 3_600_000;
export const LOOK_FAR_EVERY = 6 * 3_600_000;

type Finding = 'settled' | 'cancelled' | 'unknown' | 'in order' | 'open' | { readonly lost: string };

/** Skips intents already found or put in order: in a sale, nearly all. */
export const createReconciler = (
  deps: PurchaseDeps & { readonly log: { readonly id: string } },
  holdFor = HOLD_FOR,
): Reconciler => {
  const { inOrder } = deps.hints;

  const lookAtPaid = async (intent: Intent, acting: ActingHandler): Promise<Finding> => {
    if ((await settleIntent(deps, intent, acting)) === 'settled') return 'settled';
    const lost = await lostPayment(deps, intent);
    return lost ? { lost } : 'unknown';
  };

  const end = async (intentId: string, acting: ActingHandler): Promise<Finding> => {
    const after = await deps.gateway.cancelIntent(intentId);
    if (after?.status === 'succeeded') return lookAtPaid(after, acting);
    // An intent in processing may still be paid.
    return !after || after.status === 'canceled' ? 'cancelled' : 'open';
  };

  const lookAtOpen = async (intent: Intent, acting: ActingHandler): Promise<Finding> => {
    const { purchase } = intent;
    if (!purchase) return 'unknown';
    const { userId, listingId, attempt } = purchase;
    const { state } = await acting.state(checkout, checkoutId(userId, listingId));
    const found = state.attempts.get(attempt);
    const now = deps.clock().getTime();
    if (!found) {
      if (intent.log !== deps.log.id) return 'unknown';
      // A copy of the site shares the log id: a recent intent may be its buyer's.
      return now - intent.createdAt < holdFor + HOLD_GRACE ? 'open' : end(intent.id, acting);
    }
    if (!found.closed && found.intent?.intentId === intent.id) {
      const over = now >= Date.parse(found.until) || found.closing !== null;
      if (over) await carryOutPurchase(deps, found, acting, { checkout: found });
      return 'open';
    }
    if (!found.closed && !found.intent && now < Date.parse(found.until)) return 'open';
    return end(intent.id, acting);
  };

  const look = async (intent: Intent, acting: ActingHandler): Promise<Finding> => {
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
            // It is skipped from now on: list it before anything else can fail.
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
