import { OrderedMap } from 'immutable';
import { type Aggregate, type Decision, reject } from '#domain/decider.ts';
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
  if (type === 'WaitingListJoined') return { ...state, waiting: state.waiting.set(userId, at) };
  const waiting = state.waiting.delete(userId);
  if (type === 'WaitingListLeft') return { ...state, waiting };
  const told = state.told.filter((since) => isTurn(since, at)).delete(userId);
  return { waiting, told: told.set(userId, at) };
};

const isTurn = (since: string, at: string): boolean => Date.parse(at) - Date.parse(since) < TURN;

/**
 * Who is to be told now: as many as there are tickets, less those who were told already and have not bought yet.
 * @param free how many tickets there are
 * @param buyers the accounts that have tickets
 * @param at now, as an ISO instant
 */
export const nextToTell = (
  { waiting, told }: WaitingState,
  { free, buyers, at }: { readonly free: number; readonly buyers: ReadonlySet<string>; readonly at: string },
): readonly string[] => {
  const asked = told.count((since, userId) => isTurn(since, at) && !buyers.has(userId));
  return [...waiting.keys()].slice(0, Math.max(0, Math.min(MOST_TOLD, free - asked)));
};

/** The waiting list of a listing. Its stream is `waiting-{listingId}`. */
export const waiting: Aggregate<WaitingState, WaitingCommand, WaitingEvent> = {
  name: 'waiting',
  initial: { waiting: OrderedMap(), told: OrderedMap() },
  evolve,
  decide,
};
