import type { SuperuserEvent } from './events.ts';

export type SuperusersState = ReadonlySet<string>;

export const initial: SuperusersState = new Set();

export const evolve = (state: SuperusersState, event: SuperuserEvent): SuperusersState => {
  const { accountId } = event.data;
  const next = new Set(state);
  if (event.type === 'SuperuserJoined') next.add(accountId);
  else next.delete(accountId);
  return next;
};
