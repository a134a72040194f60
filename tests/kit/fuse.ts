/** How specs kill a process between two of its steps. */
import { type EventLog, LogUnavailable } from '#infra/event-log/event-log.ts';
import { GatewayUnavailable, type PaymentGateway } from '#infra/payments/gateway.ts';
import { logWith } from './log-with.ts';

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
export const logWithFuse = (log: EventLog, fuse: Fuse): EventLog => {
  const dead = () => new LogUnavailable('killed');
  const append: EventLog['append'] = (batch) => fuse.through(dead, () => log.append(batch));
  return logWith(log, { append, close: async () => undefined });
};

/** A process's way to the provider, as long as it lives. Each call is a step but those that only look around. */
export const gatewayWithFuse = (gateway: PaymentGateway, fuse: Fuse): PaymentGateway => {
  const step = <Answer>(call: () => Promise<Answer>): Promise<Answer> =>
    fuse.through(() => new GatewayUnavailable('killed'), call);
  return {
    createIntent: (order) => step(() => gateway.createIntent(order)),
    retrieveIntent: (id) => step(() => gateway.retrieveIntent(id)),
    cancelIntent: (id) => step(() => gateway.cancelIntent(id)),
    refund: (order) => step(() => gateway.refund(order)),
    findRefunds: (id) => step(() => gateway.findRefunds(id)),
    findIntents: (since) => gateway.findIntents(since),
    findRefundsSince: (since) => gateway.findRefundsSince(since),
    findDisputes: (id) => step(() => gateway.findDisputes(id)),
    verifyWebhook: (body, signature) => gateway.verifyWebhook(body, signature),
  };
};
