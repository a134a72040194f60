/**
 * Provider against log: money that is there without a booking is brought to one, or back; intents that can still
 * be paid though their attempt has ended are cancelled. It goes over what the provider made lately, newest first.
 */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { type AdvanceDeps, advance, settleIntent } from '#command-api/purchase/advance.ts';
import { Recent } from '#command-api/purchase/recent.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/policy.ts';
import type { Intent } from '#infra/payments/gateway.ts';

/** What a comparison found. */
export interface Reconciled {
  readonly looked: number;
  /** Paid, and now with a booking or a refund. */
  readonly settled: number;
  /** Open at the provider though nobody may pay them any more. */
  readonly cancelled: number;
  /** Of another log, or of nobody we know. */
  readonly unknown: number;
  readonly failures: readonly { readonly intentId: string; readonly reason: string }[];
}

/** Compares the provider with the log. */
export interface Reconciler {
  /** Looks at what was made since. What was found in order before is not looked at again. */
  run(since: Date, acting: ActingLane): Promise<Reconciled>;
}

/** An intent this young is in the hands of its buyer's own calls, in milliseconds. */
const TOO_YOUNG = 5_000;
const AT_ONCE = 8;
/** How far back a comparison looks: longer than any attempt can be open. */
export const LOOK_BACK = 2 * (HOLD_FOR + HOLD_GRACE);
/**
 * How far back a process's first comparison looks, and then one every `LOOK_FAR_EVERY`: money may come long after its attempt was
 * closed, and its webhook may be lost in an outage of ours. Milliseconds.
 */
export const LOOK_FAR = 24 * 3_600_000;
export const LOOK_FAR_EVERY = 6 * 3_600_000;

type Finding = 'settled' | 'cancelled' | 'unknown' | 'in order' | 'open';

/** A reconciler of one process: it remembers what it has found settled. */
export const createReconciler = (deps: AdvanceDeps): Reconciler => {
  const final = new Recent<true>(50_000);

  const lookAtOpen = async (intent: Intent, acting: ActingLane): Promise<Finding> => {
    const { purchase } = intent;
    if (!purchase) return 'unknown';
    const { userId, listingId, attempt } = purchase;
    const { state } = await acting.state(checkout, checkoutId(userId, listingId));
    const found = state.attempts.get(attempt);
    const now = deps.clock().getTime();
    if (!found) return 'unknown';
    if (!found.closed && found.intent?.intentId === intent.id) {
      const over = now >= Date.parse(found.until) || found.closing !== null;
      if (over) await advance(deps, { userId, listingId, attempt }, acting, { known: { checkout: found } });
      return 'open';
    }
    if (!found.closed && !found.intent && now < Date.parse(found.until)) return 'open';
    const after = await deps.gateway.cancelIntent(intent.id);
    if (after?.status === 'succeeded') return settleIntent(deps, after, acting).then(() => 'settled');
    // One that the provider has under way may still be paid.
    return !after || after.status === 'canceled' ? 'cancelled' : 'open';
  };

  const look = async (intent: Intent, acting: ActingLane): Promise<Finding> => {
    if (intent.status === 'canceled') return 'in order';
    if (intent.status !== 'succeeded') return lookAtOpen(intent, acting);
    const settled = await settleIntent(deps, intent, acting);
    return settled === 'settled' ? 'settled' : 'unknown';
  };

  return {
    async run(since, acting) {
      const counts = { looked: 0, settled: 0, cancelled: 0, unknown: 0 };
      const failures: { intentId: string; reason: string }[] = [];
      const visit = async (intent: Intent): Promise<void> => {
        try {
          const finding = await look(intent, acting);
          if (finding !== 'open') final.set(intent.id, true);
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
        const young = deps.clock().getTime() - intent.createdAt < TOO_YOUNG;
        if (young || final.get(intent.id)) continue;
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
