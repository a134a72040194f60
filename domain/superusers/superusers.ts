import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { SuperuserEvent } from './events.ts';
import { evolve, initial, type SuperusersState } from './state.ts';

export type SuperusersCommand =
  /** Given after the account became an active superuser. */
  | { readonly type: 'Join'; readonly accountId: string }
  /** Given before the account stops being one. */
  | { readonly type: 'Leave'; readonly accountId: string };

/**
 * Keeps the last active superuser: refuses with LAST_SUPERUSER. An account joins the list after it became a superuser and leaves it
 * before it stops being one. So everyone on the list is a superuser, even if a change is cut off half-way.
 */
const decide = (state: SuperusersState, { type, accountId }: SuperusersCommand): Decision<SuperuserEvent> => {
  if (type === 'Join') return state.has(accountId) ? [] : [{ type: 'SuperuserJoined', data: { accountId } }];
  if (!state.has(accountId)) return [];
  if (state.size === 1) return reject('LAST_SUPERUSER');
  return [{ type: 'SuperuserLeft', data: { accountId } }];
};

/** The id of the only instance. */
export const SUPERUSERS = 'all';

/** The list of active superusers. Its only stream is `superusers-all`. */
export const superusers: Aggregate<SuperusersState, SuperusersCommand, SuperuserEvent> = {
  name: 'superusers',
  initial,
  evolve,
  decide,
};
