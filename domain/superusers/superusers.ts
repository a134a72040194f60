import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { SuperuserEvent } from './events.ts';
import { evolve, initial, type SuperusersState } from './state.ts';

export type SuperusersCommand =
  /** Given after the account has become one. */
  | { readonly type: 'Join'; readonly accountId: string }
  /** Given before the account stops being one. */
  | { readonly type: 'Leave'; readonly accountId: string };

/** Refuses with LAST_SUPERUSER. Everyone listed is one, even if a change is interrupted. */
const decide = (state: SuperusersState, { type, accountId }: SuperusersCommand): Decision<SuperuserEvent> => {
  if (type === 'Join') return state.has(accountId) ? [] : [{ type: 'SuperuserJoined', data: { accountId } }];
  if (!state.has(accountId)) return [];
  if (state.size === 1) return reject('LAST_SUPERUSER');
  return [{ type: 'SuperuserLeft', data: { accountId } }];
};

export const SUPERUSERS = 'all';

export const superusers: Aggregate<SuperusersState, SuperusersCommand, SuperuserEvent> = {
  name: 'superusers',
  initial,
  evolve,
  decide,
};
