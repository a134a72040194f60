import type { SavedHook } from '#domain/contracts/admin-hooks.ts';
import { type Hook, shownOfHook } from '#domain/hook/hook.ts';
import { revisionOf } from '#domain/kernel/revision.ts';

export const toSavedHook = (hook: Hook): SavedHook => {
  const { hookId, url, description, types, isActive, stopped, at } = hook;
  return {
    ...{ id: hookId, url, description, types: [...types], isActive, stopped, updatedAt: at },
    revision: revisionOf(shownOfHook(hook)),
  };
};
