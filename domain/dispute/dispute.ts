import type { Aggregate } from '#domain/kernel/decider.ts';
import type { DisputeEvent, DisputeFacts, DisputeOutcome } from './events.ts';

/** By the provider's id; null while open. An `inquiry` has taken no money yet. */
export type DisputeState = ReadonlyMap<string, DisputeOutcome | 'inquiry' | null>;

export type DisputeCommand = DisputeFacts & {
  readonly type: 'RecordDispute';
  readonly status: 'open' | 'inquiry' | DisputeOutcome;
};

/** Prefers the last dispute that holds the money. Ignores inquiries. */
export const standing = (disputes: DisputeState): 'open' | DisputeOutcome | null => {
  const all = [...disputes.values()].map((outcome) => outcome ?? 'open').filter((one) => one !== 'inquiry');
  return all.filter((one) => one !== 'won').at(-1) ?? all.at(-1) ?? null;
};

/** Cardholder or bank has the money: a refund would pay twice. */
export const isMoneyGone = (disputes: DisputeState): boolean =>
  [...disputes.values()].some((outcome) => outcome === null || outcome === 'lost');

/** Records each report once, and refuses nothing. */
export const dispute: Aggregate<DisputeState, DisputeCommand, DisputeEvent> = {
  name: 'dispute',
  initial: new Map(),
  evolve(state, { type, data }) {
    const stands = type === 'DisputeClosed' ? data.outcome : data.inquiry ? 'inquiry' : null;
    return new Map(state).set(data.disputeId, stands);
  },
  decide(state, { type: _, status, ...facts }) {
    const { bookingId, disputeId } = facts;
    const known = state.get(disputeId);
    // An inquiry may become a dispute; the reverse is stale news.
    const isNew = known === undefined || (known === 'inquiry' && status === 'open');
    const data = status === 'inquiry' ? { ...facts, inquiry: true as const } : facts;
    const opened: readonly DisputeEvent[] = isNew ? [{ type: 'DisputeOpened', data }] : [];
    if (status === 'open' || status === 'inquiry' || known === status) return opened;
    return [...opened, { type: 'DisputeClosed', data: { bookingId, disputeId, outcome: status } }];
  },
};
