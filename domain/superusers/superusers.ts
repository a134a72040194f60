import { type Aggregate, type Decision, reject } from '#domain/decider.ts';
import type { SuperuserEvent } from './events.ts';
import { evolve, initial, type SuperusersState } from './state.ts';

export type SuperusersCommand =
  /** After the account became an active superuser. */
  | { readonly type: 'Join'; readonly accountId: string }
  /** Before the account stops being one. */
  | { readonly type: 'Leave'; readonly accountId: string };

/**
 * Decides in one place that the last active superuser stays. One joins the roll after the account changed, and leaves
 * it before: whatever is cut off in between, all on the roll are superusers, so the roll never counts too many. Refuses with
 * LAST_SUPERUSER.
 */
const decide = (state: SuperusersState, { type, accountId }: SuperusersCommand): Decision<SuperuserEvent> => {
  if (type === 'Join') return state.has(accountId) ? [] : [{ type: 'SuperuserJoined', data: { accountId } }];
  if (!state.has(accountId)) return [];
  if (state.size === 1) return reject('LAST_SUPERUSER');
  return [{ type: 'SuperuserLeft', data: { accountId } }];
};

/** Its one instance is `superusers-all`. */
export const SUPERUSERS = 'all';

/** The roll of active superusers, one stream for all. */
export const superusers: Aggregate<SuperusersState, SuperusersCommand, SuperuserEvent> = {
  name: 'superusers',
  initial,
  evolve,
  decide,
};
