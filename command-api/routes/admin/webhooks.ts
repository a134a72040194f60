import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { webhookMessages } from '#command-api/webhooks/webhooks.ts';
import { toSavedWebhook } from '#domain/answers/webhooks.ts';
import { adminWebhookCalls, type WebhookRequest } from '#domain/contracts/admin-webhooks.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import { HOOKS, type Hook, hook } from '#domain/webhook/webhook.ts';
import type { App } from '#infra/http/server.ts';
import { obstacleTo } from '#infra/webhooks/webhooks.ts';

const webhookOf = async (id: number, acting: ActingHandler): Promise<Hook> => {
  const found = (await acting.state(hook, HOOKS)).state.get(id);
  if (!found) throw new Refusal('NOT_FOUND');
  return found;
};

export const adminWebhookRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'database' | 'config' | 'webhookSecrets'>,
): void => {
  const { ids, clock, config, webhookSecrets } = deps;
  const messages = webhookMessages(deps.database);
  const change = changesOn(app, deps);

  const save = async (
    type: 'AddHook' | 'EditHook',
    hookId: number,
    { types, ...request }: WebhookRequest,
    acting: ActingHandler,
  ): Promise<void> => {
    const obstacle = config.production ? obstacleTo(new URL(request.url)) : undefined;
    if (obstacle) throw refusalOf(badInput({ url: `The address ${obstacle}` }));
    await acting.do(hook, HOOKS, { type, hookId, types: [...new Set(types)], ...request });
  };

  change(
    adminWebhookCalls.create,
    async ({ body }, { acting, ids: { id } }) => {
      const secret = await webhookSecrets.first(id);
      await save('AddHook', id, body, acting);
      return { ...toSavedWebhook(await webhookOf(id, acting)), secret };
    },
    async () => ({ id: await ids.next('hook') }),
  );

  editsOn(app, deps)(
    adminWebhookCalls.edit,
    ({ params: { id }, body }, acting) => save('EditHook', id, body, acting),
    async ({ params: { id } }, acting) => toSavedWebhook(await webhookOf(id, acting)),
  );

  change(adminWebhookCalls.remove, async ({ params: { id: hookId } }, { acting }) => {
    await acting.do(hook, HOOKS, { type: 'RemoveHook', hookId });
    return { message: 'Webhook deleted' };
  });

  change(adminWebhookCalls.renewSecret, async ({ params: { id: hookId } }, { acting }) => {
    await acting.do(hook, HOOKS, { type: 'RenewSecret', hookId });
    const { secret, formerUntil } = await webhookSecrets.renew(hookId);
    return { secret, formerUntil: formerUntil.toISOString() };
  });

  change(adminWebhookCalls.test, async ({ params: { id } }, { acting }) => {
    const { isActive } = await webhookOf(id, acting);
    if (!isActive) throw new Refusal('HOOK_STOPPED');
    await messages.test(id, { messageId: `test-${ids.uuid()}`, now: clock() });
    return { message: 'Test message is on its way' };
  });

  change(adminWebhookCalls.sendAgain, async ({ params: { id } }, { acting }) => {
    if (!(await webhookOf(await messages.webhookOf(id), acting)).isActive) throw new Refusal('HOOK_STOPPED');
    await messages.again(id);
    return { message: 'It is sent again' };
  });
};
