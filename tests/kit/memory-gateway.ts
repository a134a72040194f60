/** A payment provider in memory, for specs and benchmarks. The caller decides what becomes of intents and refunds. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '#infra/lib/clock.ts';
import {
  GatewayUnavailable,
  type Intent,
  type IntentStatus,
  type Notice,
  type PaymentGateway,
  type ProviderDispute,
  type ProviderRefund,
  type ProviderRefundStatus,
} from '#infra/payments/gateway.ts';

export interface MemoryGatewayOptions {
  /** Whether intents are paid as soon as they are made. Default false. */
  readonly autoPay?: boolean;
  /** The id of the log that intents are made for. */
  readonly log?: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** The provider, with methods that do what buyers and the provider itself would do. */
export interface MemoryGateway extends PaymentGateway {
  /** The buyer pays. @throws if the intent is not open */
  pay(intentId: string): void;
  setIntent(intentId: string, status: IntentStatus): void;
  /** Sets the state of refunds that are made from now on. */
  refundsBecome(status: ProviderRefundStatus): void;
  /** Somebody pays money back at the provider itself, past the site: such a refund names no booking. */
  refundByHand(intentId: string, amount: number): ProviderRefund;
  /** The provider changes the state of a refund. */
  settleRefund(refundId: string, status: ProviderRefundStatus, why?: string): void;
  /** The bank says where a dispute of an intent stands. */
  disputeBecomes(intentId: string, status: ProviderDispute['status']): void;
  /** Whether the provider can't be reached, until the next call. */
  fail(down: boolean): void;
  /** A signed webhook, to be posted by the caller. */
  webhook(type: string, about: Notice['about']): { body: string; signature: string };
  readonly intents: ReadonlyMap<string, Intent>;
  readonly refunds: ReadonlyMap<string, ProviderRefund>;
}

/** A provider without intents. Everything is lost with the process. */
export const memoryGateway = (options: MemoryGatewayOptions = {}): MemoryGateway => {
  const intents = new Map<string, Intent>();
  const byAttempt = new Map<string, string>();
  const refunds = new Map<string, ProviderRefund>();
  const disputes = new Map<string, readonly ProviderDispute[]>();
  const byRefundKey = new Map<string, string>();
  const clock = options.clock ?? systemClock;
  const secret = 'memory';
  let becomes: ProviderRefundStatus = 'succeeded';
  let down = false;

  const reach = (): void => {
    if (down) throw new GatewayUnavailable('the payment provider is down');
  };
  const change = (intentId: string, status: IntentStatus): Intent => {
    const intent = intents.get(intentId);
    if (!intent) throw new Error(`no intent ${intentId}`);
    const changed = { ...intent, status };
    intents.set(intentId, changed);
    return changed;
  };
  /** How much of a payment can still be paid back. */
  const leftOf = ({ id, amount }: Intent): number =>
    [...refunds.values()]
      .filter(({ intentId, status }) => intentId === id && status !== 'failed' && status !== 'canceled')
      .reduce((left, refund) => left - refund.amount, amount);
  const give = (
    intentId: string,
    amount: number,
    whose: Pick<ProviderRefund, 'bookingId' | 'attempt'>,
  ): ProviderRefund => {
    const why = becomes === 'failed' ? 'declined' : undefined;
    const refund = {
      ...{ id: `re_${randomUUID()}`, intentId, status: becomes, amount, ...whose, why },
      createdAt: clock().getTime(),
    };
    refunds.set(refund.id, refund);
    return refund;
  };
  const sign = (body: string): string => createHmac('sha256', secret).update(body).digest('hex');

  return {
    intents,
    refunds,

    async createIntent({ purchase, amount }) {
      reach();
      const known = intents.get(byAttempt.get(purchase.attempt) ?? '');
      if (known) return known;
      const id = `pi_${randomUUID()}`;
      const intent: Intent = {
        id,
        status: options.autoPay ? 'succeeded' : 'open',
        amount,
        currency: 'gbp',
        clientSecret: `${id}_secret`,
        purchase,
        log: options.log,
        createdAt: clock().getTime(),
      };
      intents.set(id, intent);
      byAttempt.set(purchase.attempt, id);
      return intent;
    },

    async retrieveIntent(intentId) {
      reach();
      return intents.get(intentId);
    },

    async cancelIntent(intentId) {
      reach();
      const intent = intents.get(intentId);
      return intent?.status === 'open' ? change(intentId, 'canceled') : intent;
    },

    async *findIntents(since) {
      reach();
      for (const intent of [...intents.values()].reverse()) {
        if (intent.createdAt >= since.getTime()) yield intent;
      }
    },

    async refund({ intentId, amount, bookingId, attempt }) {
      reach();
      const key = `${bookingId}-${attempt}`;
      const known = refunds.get(byRefundKey.get(key) ?? '');
      if (known) return { ok: true, refund: known };
      const intent = intents.get(intentId);
      if (intent?.status !== 'succeeded') return { ok: false, why: 'not paid' };
      if (amount > leftOf(intent)) return { ok: false, why: 'more than is left to give back' };
      const refund = give(intentId, amount, { bookingId, attempt });
      byRefundKey.set(key, refund.id);
      return { ok: true, refund };
    },

    async findRefunds(intentId) {
      reach();
      return [...refunds.values()].filter((refund) => refund.intentId === intentId).reverse();
    },

    async *findRefundsSince(since) {
      reach();
      for (const refund of [...refunds.values()].reverse()) {
        if (refund.createdAt >= since.getTime()) yield refund;
      }
    },

    findDisputes: async (intentId) => disputes.get(intentId) ?? [],

    verifyWebhook(rawBody, signature) {
      const expected = Buffer.from(sign(rawBody.toString()));
      const given = Buffer.from(signature);
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
      return JSON.parse(rawBody.toString()) as Notice;
    },

    pay(intentId) {
      if (intents.get(intentId)?.status !== 'open') throw new Error(`${intentId} can't be paid`);
      change(intentId, 'succeeded');
    },
    setIntent(intentId, status) {
      change(intentId, status);
    },
    refundsBecome(status) {
      becomes = status;
    },
    refundByHand(intentId, amount) {
      const intent = intents.get(intentId);
      if (intent?.status !== 'succeeded' || amount > leftOf(intent))
        throw new Error(`${intentId} has no ${amount} to pay back`);
      return give(intentId, amount, { bookingId: undefined, attempt: undefined });
    },
    settleRefund(refundId, status, why) {
      const refund = refunds.get(refundId);
      if (!refund) throw new Error(`no refund ${refundId}`);
      refunds.set(refundId, { ...refund, status, why });
    },
    disputeBecomes(intentId, status) {
      const { amount = 0 } = intents.get(intentId) ?? {};
      const about = { reason: 'fraudulent', dueBy: null, openedAt: clock().toISOString() };
      disputes.set(intentId, [{ id: `dp_${intentId}`, amount, status, ...about }]);
    },
    fail(unreachable) {
      down = unreachable;
    },
    webhook(type, about) {
      const body = JSON.stringify({ id: `evt_${randomUUID()}`, type, about } satisfies Notice);
      return { body, signature: sign(body) };
    },
  };
};
