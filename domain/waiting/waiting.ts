import { OrderedMap } from 'immutable';
import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { WaitingEvent } from './events.ts';

/** How many people may wait for one listing. */
export const MOST_WAITING = 5_000;
/** How many are told at once, at the most. */
export const MOST_TOLD = 200;
/** For how long tickets are left to those who were told of them, in milliseconds. Then the next are told. */
export const TURN = 30 * 60_000;

/** Who waits, and who was told within the last turn. Both by account, with the instant, the earliest first. */
export interface WaitingState {
  readonly waiting: OrderedMap<string, string>;
  readonly told: OrderedMap<string, string>;
}

interface Person {
  readonly listingId: number;
  readonly userId: string;
}

/** The commands of a listing's waiting list. A repeat succeeds without an event. */
export type WaitingCommand =
  | ({ readonly type: 'Join' } & Person)
  | ({ readonly type: 'Leave' } & Person)
  /** Tells those of these people who still wait. */
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
  // Who waits again has found no ticket: their turn is over.
  if (type === 'WaitingListJoined')
    return { waiting: state.waiting.set(userId, at), told: state.told.delete(userId) };
  const waiting = state.waiting.delete(userId);
  if (type === 'WaitingListLeft') return { ...state, waiting };
  // Only those at the front are looked at: thousands may have been told within a turn.
  const over = state.told.toSeq().takeWhile((since) => !isTurn(since, at));
  const told = state.told.deleteAll(over.keySeq()).delete(userId);
  return { waiting, told: told.set(userId, at) };
};

const isTurn = (since: string, at: string): boolean => Date.parse(at) - Date.parse(since) < TURN;

/** What decides who is told. */
export interface Supply {
  /** How many tickets there are. */
  readonly free: number;
  /** The accounts that have tickets, and those that hold some at the moment. */
  readonly buyers: ReadonlySet<string>;
  readonly holders: ReadonlySet<string>;
  /** Now, as an ISO instant. */
  readonly at: string;
}

/**
 * Who is to be told now: as many as there are tickets, less those who were told already and have none yet. Who holds tickets is told
 * nothing meanwhile.
 */
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

/** The waiting list of a listing. Its stream is `waiting-{listingId}`. */
export const waiting: Aggregate<WaitingState, WaitingCommand, WaitingEvent> = {
  name: 'waiting',
  initial: { waiting: OrderedMap(), told: OrderedMap() },
  evolve,
  decide,
};
