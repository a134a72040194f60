import { type Aggregate, reject } from '#domain/kernel/decider.ts';
import type { Shown } from '#domain/kernel/revision.ts';
import type { StopReason, WebhookEvent, WebhookFacts } from './events.ts';

export interface Hook extends WebhookFacts {
  readonly stopped: StopReason | null;
  readonly at: string;
}

export type Hooks = ReadonlyMap<number, Hook>;

export type WebhookCommand =
  | ({ readonly type: 'AddHook' } & WebhookFacts)
  | ({ readonly type: 'EditHook' } & WebhookFacts)
  | { readonly type: 'RenewSecret'; readonly hookId: number }
  | { readonly type: 'StopHook'; readonly hookId: number; readonly why: StopReason }
  | { readonly type: 'RemoveHook'; readonly hookId: number };

const same = (one: WebhookFacts, other: WebhookFacts): boolean =>
  one.url === other.url &&
  one.description === other.description &&
  one.isActive === other.isActive &&
  one.types.join() === other.types.join();

export const shownOfWebhook = ({ hookId, url, description, types, isActive }: WebhookFacts): Shown => ({
  [`${hookId}.url`]: url,
  [`${hookId}.description`]: description,
  [`${hookId}.types`]: types,
  [`${hookId}.isActive`]: isActive,
});

/** Refuses with NOT_FOUND. One stream, so that the recipients are known at each event. */
export const hook: Aggregate<Hooks, WebhookCommand, WebhookEvent> = {
  name: 'hook',
  shown: (hooks) => Object.assign({}, ...[...hooks.values()].map(shownOfWebhook)),
  initial: new Map(),
  evolve(state, { type, data }, at) {
    const hooks = new Map(state);
    const before = state.get(data.hookId);
    if (type === 'HookAdded' || type === 'HookEdited') hooks.set(data.hookId, { ...data, stopped: null, at });
    else if (type === 'HookRemoved') hooks.delete(data.hookId);
    else if (before && type === 'HookStopped')
      hooks.set(data.hookId, { ...before, isActive: false, stopped: data.why, at });
    return hooks;
  },
  decide(state, command) {
    const before = state.get(command.hookId);
    const { type, ...data } = command;
    if (type === 'AddHook') return before ? [] : [{ type: 'HookAdded', data: data as WebhookFacts }];
    if (!before) return reject('NOT_FOUND');
    const { hookId } = command;
    if (type === 'EditHook')
      return same(data as WebhookFacts, before) ? [] : [{ type: 'HookEdited', data: data as WebhookFacts }];
    if (type === 'RenewSecret') return [{ type: 'HookSecretRenewed', data: { hookId } }];
    if (type === 'RemoveHook') return [{ type: 'HookRemoved', data: { hookId } }];
    return before.isActive ? [{ type: 'HookStopped', data: { hookId, why: command.why } }] : [];
  },
};

export const HOOKS = 'all';
