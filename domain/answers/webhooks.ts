import type { SavedWebhook } from '#domain/contracts/admin-webhooks.ts';
import { revisionOf } from '#domain/kernel/revision.ts';
import { type Hook, shownOfWebhook } from '#domain/webhook/webhook.ts';

export const toSavedWebhook = (hook: Hook): SavedWebhook => {
  const { hookId, url, description, types, isActive, stopped, at } = hook;
  return {
    ...{ id: hookId, url, description, types: [...types], isActive, stopped, updatedAt: at },
    revision: revisionOf(shownOfWebhook(hook)),
  };
};
