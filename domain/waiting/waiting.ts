import { OrderedMap } from 'immutable';
import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { WaitingEvent } from './events.ts';

export const MOST_WAITING = 5_000;
export const MOST_TOLD = 200;
/** Milliseconds until the next people are notified. */
export const TURN = 30 * 60_000;

/** By user, earliest first; `told` covers the last turn. */
export interface WaitingState {
  readonly waiting: OrderedMap<string, string>;
  readonly told: OrderedMap<string, string>;
}

interface Person {
  readonly listingId: number;
  readonly userId: string;
}

export type WaitingCommand =
  | ({ readonly type: 'Join' } & Person)
  | ({ readonly type: 'Leave' } & Person)
  | { readonly type: 'Tell'; readonly listingId: number; readonly userIds: readonly string[] };

const decide = ({ waiting }: WaitingState, command: WaitingCommand): Decision<WaitingEvent> => {
  const { listingId } = command;
  if (command.type === 'Tell')
    return command.userIds
      .filter((userId) => waiting.has(userId))
      .map((userId) => ({ type: 'WaiterTold', data: { listingId, userId } }));
  const { userId } = command;
  if (waiting.has(userId) === (command.type === 'Join')) return [];
  if (command.type === 'Leave') return [{ type: 'WaitingListLeft', data: { listingId, userId } }];
  if (waiting.size >= MOST_WAITING) return reject('WAITING_LIST_FULL');
  return [{ type: 'WaitingListJoined', data: { listingId, userId } }];
};

const evolve = (state: WaitingState, { type, data: { userId } }: WaitingEvent, at: string): WaitingState => {
  // The person found no ticket: their turn ends.
  if (type === 'WaitingListJoined')
    return { waiting: state.waiting.set(userId, at), told: state.told.delete(userId) };
  const waiting = state.waiting.delete(userId);
  if (type === 'WaitingListLeft') return { ...state, waiting };
  // Only the front: thousands may have been notified within a turn.
  const over = state.told.toSeq().takeWhile((since) => !isTurn(since, at));
  const told = state.told.deleteAll(over.keySeq()).delete(userId);
  return { waiting, told: told.set(userId, at) };
};

const isTurn = (since: string, at: string): boolean => Date.parse(at) - Date.parse(since) < TURN;

export interface Supply {
  readonly free: number;
  readonly buyers: ReadonlySet<string>;
  readonly holders: ReadonlySet<string>;
  /** ISO instant. */
  readonly at: string;
}

/** Free tickets, less those for notified people who have none yet. Skips people who hold tickets. */
export const nextToTell = (
  { waiting, told }: WaitingState,
  { free, buyers, holders, at }: Supply,
): readonly string[] => {
  const has = (userId: string): boolean => buyers.has(userId) || holders.has(userId);
  const asked = told.count((since, userId) => isTurn(since, at) && !has(userId));
  const most = Math.max(0, Math.min(MOST_TOLD, free - asked));
  return waiting
    .keySeq()
    .filterNot((userId) => holders.has(userId))
    .take(most)
    .toArray();
};

export const waiting: Aggregate<WaitingState, WaitingCommand, WaitingEvent> = {
  name: 'waiting',
  initial: { waiting: OrderedMap(), told: OrderedMap() },
  evolve,
  decide,
};
