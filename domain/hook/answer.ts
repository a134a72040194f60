import type { SavedHook } from '#domain/contracts/admin-hooks.ts';
import { revisionOf } from '#domain/revision.ts';
import { type Hook, shownOfHook } from './hook.ts';

/** The answer about a hook. */
export const toSavedHook = (hook: Hook): SavedHook => {
  const { hookId, url, description, types, isActive, stopped, at } = hook;
  return {
    ...{ id: hookId, url, description, types: [...types], isActive, stopped, updatedAt: at },
    revision: revisionOf(shownOfHook(hook)),
  };
};
