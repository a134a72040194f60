/** How specs kill a process between two of its steps. */
import { type EventLog, LogUnavailable } from '#infra/event-log/event-log.ts';
import { GatewayUnavailable, type PaymentGateway } from '#infra/payments/gateway.ts';

/** Kills its process before or after its n-th call to the log or the provider; everything after that fails, too. */
export class Fuse {
  readonly at: number;
  readonly when: 'before' | 'after';
  calls = 0;
  blown = false;

  constructor(at: number, when: 'before' | 'after') {
    this.at = at;
    this.when = when;
  }

  async through<Answer>(dead: () => Error, call: () => Promise<Answer>): Promise<Answer> {
    if (this.blown) throw dead();
    const last = this.calls++ === this.at;
    if (last && this.when === 'before') this.blown = true;
    if (this.blown) throw dead();
    const answer = await call();
    if (last) this.blown = true;
    if (this.blown) throw dead();
    return answer;
  }
}

/** A process's log, as long as it lives. An append is a step. */
export const logWithFuse = (log: EventLog, fuse: Fuse): EventLog => ({
  id: log.id,
  append: (batch) =>
    fuse.through(
      () => new LogUnavailable('killed'),
      () => log.append(batch),
    ),
  readStream: (stream, options) => log.readStream(stream, options),
  readEach: (places) => log.readEach(places),
  readAll: (after, options) => log.readAll(after, options),
  subscribe: (after, options) => log.subscribe(after, options),
  head: () => log.head(),
  get heard() {
    return log.heard;
  },
  close: async () => undefined,
});

/** A process's way to the provider, as long as it lives. Each call is a step but those that only look around. */
export const gatewayWithFuse = (gateway: PaymentGateway, fuse: Fuse): PaymentGateway => {
  const dead = () => new GatewayUnavailable('killed');
  return {
    createIntent: (order) => fuse.through(dead, () => gateway.createIntent(order)),
    retrieveIntent: (id) => fuse.through(dead, () => gateway.retrieveIntent(id)),
    cancelIntent: (id) => fuse.through(dead, () => gateway.cancelIntent(id)),
    findIntents: (since) => gateway.findIntents(since),
    refund: (order) => fuse.through(dead, () => gateway.refund(order)),
    findRefunds: (id) => fuse.through(dead, () => gateway.findRefunds(id)),
    findRefundsSince: (since) => gateway.findRefundsSince(since),
    findDisputes: (id) => fuse.through(dead, () => gateway.findDisputes(id)),
    verifyWebhook: (body, signature) => gateway.verifyWebhook(body, signature),
  };
};
