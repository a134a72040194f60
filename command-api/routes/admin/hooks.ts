import type { CommandDeps } from '#command-api/deps.ts';
import { TEST } from '#command-api/hooks/send.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { adminHookCalls, type HookRequest } from '#domain/contracts/admin-hooks.ts';
import { toSavedHook } from '#domain/hook/answer.ts';
import { HOOKS, type Hook, hook } from '#domain/hook/hook.ts';
import { Refusal } from '#domain/refusal.ts';
import { obstacleTo } from '#infra/hooks/post.ts';
import type { App } from '#infra/http/server.ts';

const hookOf = async (id: number, acting: ActingLane): Promise<Hook> => {
  const found = (await acting.state(hook, HOOKS)).state.get(id);
  if (!found) throw new Refusal('NOT_FOUND');
  return found;
};

/** Changes to webhooks by superusers. */
export const adminHookRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'database' | 'config' | 'hookSecrets'>,
): void => {
  const { ids, clock, config, hookSecrets } = deps;
  const { pool } = deps.database;
  const change = changesOn(app, deps);

  const save = async (
    type: 'AddHook' | 'EditHook',
    hookId: number,
    { types, ...request }: HookRequest,
    acting: ActingLane,
  ): Promise<void> => {
    const obstacle = config.production ? obstacleTo(new URL(request.url)) : undefined;
    const message = `The address ${obstacle}`;
    if (obstacle)
      throw new Refusal('BAD_INPUT', { fields: { url: message }, errors: [message] }, { message });
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
    const body = JSON.stringify({ type: TEST, timestamp: clock().toISOString(), data: { webhook: id } });
    await pool.query(
      'INSERT INTO app.hook_delivery (hook_id, message_id, type, body) VALUES ($1, $2, $3, $4)',
      [id, `test-${ids.uuid()}`, TEST, body],
    );
    return { message: 'Test message is on its way' };
  });

  change(adminHookCalls.sendAgain, async ({ params: { id } }, { acting }) => {
    const { rows } = await pool.query<{ hook: number }>(
      'SELECT hook_id AS hook FROM app.hook_delivery WHERE id = $1',
      [id],
    );
    if (!rows[0]) throw new Refusal('NOT_FOUND');
    if (!(await hookOf(rows[0].hook, acting)).isActive) throw new Refusal('HOOK_STOPPED');
    await pool.query(
      `UPDATE app.hook_delivery SET status = 'waiting', tries = 0, asked_at = now(), due_at = now() WHERE id = $1`,
      [id],
    );
    return { message: 'It is sent again' };
  });
};
