import type { Aggregate } from '#domain/decider.ts';
import type { DisputeEvent, DisputeFacts, DisputeOutcome } from './events.ts';

/** The disputes of a booking's payment by the provider's id; null while one is open. */
export type DisputeState = ReadonlyMap<string, DisputeOutcome | null>;

/** What the provider says of a dispute. */
export type DisputeCommand = DisputeFacts & {
  readonly type: 'RecordDispute';
  readonly status: 'open' | DisputeOutcome;
};

/** Where the disputes of a payment stand: the last one that keeps the money, otherwise the last one; null if there is none. */
export const standing = (disputes: DisputeState): 'open' | DisputeOutcome | null => {
  const all = [...disputes.values()].map((outcome) => outcome ?? 'open');
  return all.findLast((one) => one !== 'won') ?? all.at(-1) ?? null;
};

/** Whether the card's holder has the money back, or the bank holds it for them: it must not be paid back a second time. */
export const isMoneyGone = (disputes: DisputeState): boolean =>
  [...disputes.values()].some((outcome) => outcome !== 'won');

/** The disputes of a booking's payment. It records what the provider says, once; nothing is refused. Its stream is `dispute-{bookingId}`. */
export const dispute: Aggregate<DisputeState, DisputeCommand, DisputeEvent> = {
  name: 'dispute',
  initial: new Map(),
  evolve: (state, { type, data }) =>
    new Map(state).set(data.disputeId, type === 'DisputeOpened' ? null : data.outcome),
  decide(state, { type: _, status, ...facts }) {
    const { bookingId, disputeId } = facts;
    const known = state.get(disputeId);
    const opened: readonly DisputeEvent[] =
      known === undefined ? [{ type: 'DisputeOpened', data: facts }] : [];
    if (status === 'open' || known === status) return opened;
    return [...opened, { type: 'DisputeClosed', data: { bookingId, disputeId, outcome: status } }];
  },
};
