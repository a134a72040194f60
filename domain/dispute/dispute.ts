import type { Aggregate } from '#domain/kernel/decider.ts';
import type { DisputeEvent, DisputeFacts, DisputeOutcome } from './events.ts';

/** The disputes of a booking's payment by the provider's id; null while one is open. An `inquiry` has taken no money yet. */
export type DisputeState = ReadonlyMap<string, DisputeOutcome | 'inquiry' | null>;

/** What the provider says of a dispute. */
export type DisputeCommand = DisputeFacts & {
  readonly type: 'RecordDispute';
  readonly status: 'open' | 'inquiry' | DisputeOutcome;
};

/** Where the disputes of a payment stand: the last one that keeps the money, otherwise the last one; null if there is none but inquiries. */
export const standing = (disputes: DisputeState): 'open' | DisputeOutcome | null => {
  const all = [...disputes.values()].map((outcome) => outcome ?? 'open').filter((one) => one !== 'inquiry');
  return all.filter((one) => one !== 'won').at(-1) ?? all.at(-1) ?? null;
};

/** Whether the card's holder has the money back, or the bank holds it for them: it must not be paid back a second time. */
export const isMoneyGone = (disputes: DisputeState): boolean =>
  [...disputes.values()].some((outcome) => outcome === null || outcome === 'lost');

/** The disputes of a booking's payment. It records what the provider says, once; nothing is refused. Its stream is `dispute-{bookingId}`. */
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
    // One that was heard of as an inquiry may have become a dispute; the other way round only the news are old.
    const isNew = known === undefined || (known === 'inquiry' && status === 'open');
    const data = status === 'inquiry' ? { ...facts, inquiry: true as const } : facts;
    const opened: readonly DisputeEvent[] = isNew ? [{ type: 'DisputeOpened', data }] : [];
    if (status === 'open' || status === 'inquiry' || known === status) return opened;
    return [...opened, { type: 'DisputeClosed', data: { bookingId, disputeId, outcome: status } }];
  },
};
