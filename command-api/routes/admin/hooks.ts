import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { hookMessages } from '#command-api/webhooks/webhooks.ts';
import { toSavedHook } from '#domain/answers/hooks.ts';
import { adminHookCalls, type HookRequest } from '#domain/contracts/admin-hooks.ts';
import { HOOKS, type Hook, hook } from '#domain/hook/hook.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';
import { obstacleTo } from '#infra/webhooks/webhooks.ts';

const hookOf = async (id: number, acting: ActingHandler): Promise<Hook> => {
  const found = (await acting.state(hook, HOOKS)).state.get(id);
  if (!found) throw new Refusal('NOT_FOUND');
  return found;
};

export const adminHookRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'database' | 'config' | 'hookSecrets'>,
): void => {
  const { ids, clock, config, hookSecrets } = deps;
  const messages = hookMessages(deps.database);
  const change = changesOn(app, deps);

  const save = async (
    type: 'AddHook' | 'EditHook',
    hookId: number,
    { types, ...request }: HookRequest,
    acting: ActingHandler,
  ): Promise<void> => {
    const obstacle = config.production ? obstacleTo(new URL(request.url)) : undefined;
    if (obstacle) throw refusalOf(badInput({ url: `The address ${obstacle}` }));
    await acting.do(hook, HOOKS, { type, hookId, types: [...new Set(types)], ...request });
  };

  change(
    adminHookCalls.create,
    async ({ body }, { acting, ids: { id } }) => {
      const secret = await hookSecrets.first(id);
      await save('AddHook', id, body, acting);
      return { ...toSavedHook(await hookOf(id, acting)), secret };
    },
    async () => ({ id: await ids.next('hook') }),
  );

  editsOn(app, deps)(
    adminHookCalls.edit,
    ({ params: { id }, body }, acting) => save('EditHook', id, body, acting),
    async ({ params: { id } }, acting) => toSavedHook(await hookOf(id, acting)),
  );

  change(adminHookCalls.remove, async ({ params: { id: hookId } }, { acting }) => {
    await acting.do(hook, HOOKS, { type: 'RemoveHook', hookId });
    return { message: 'Webhook deleted' };
  });

  change(adminHookCalls.renewSecret, async ({ params: { id: hookId } }, { acting }) => {
    await acting.do(hook, HOOKS, { type: 'RenewSecret', hookId });
    const { secret, formerUntil } = await hookSecrets.renew(hookId);
    return { secret, formerUntil: formerUntil.toISOString() };
  });

  change(adminHookCalls.test, async ({ params: { id } }, { acting }) => {
    const { isActive } = await hookOf(id, acting);
    if (!isActive) throw new Refusal('HOOK_STOPPED');
    await messages.test(id, { messageId: `test-${ids.uuid()}`, now: clock() });
    return { message: 'Test message is on its way' };
  });

  change(adminHookCalls.sendAgain, async ({ params: { id } }, { acting }) => {
    if (!(await hookOf(await messages.hookOf(id), acting)).isActive) throw new Refusal('HOOK_STOPPED');
    await messages.again(id);
    return { message: 'It is sent again' };
  });
};
