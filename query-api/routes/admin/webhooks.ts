import { sql } from 'kysely';
import { toSavedWebhook } from '#domain/answers/webhooks.ts';
import { adminWebhookCalls, type Delivery } from '#domain/contracts/admin-webhooks.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { listRoute } from '#query-api/routes/list.ts';

interface Last {
  readonly waiting: number;
  readonly lastTriedAt: Date | null;
  readonly lastStatus: Delivery['status'] | null;
}

const LAST = `
  SELECT hook.id, lastly.*,
      (SELECT count(*)::integer FROM app.hook_delivery d WHERE d.hook_id = hook.id AND status = 'waiting') AS waiting
    FROM unnest($1::integer[]) AS hook (id)
    LEFT JOIN LATERAL (
      SELECT tried_at AS "lastTriedAt", status AS "lastStatus" FROM app.hook_delivery d
       WHERE d.hook_id = hook.id AND tried_at IS NOT NULL ORDER BY tried_at DESC LIMIT 1) AS lastly ON true`;

interface DeliveryRow {
  readonly id: number;
  readonly hook_id: number;
  readonly message_id: string;
  readonly type: string;
  readonly body: string;
  readonly status: Delivery['status'];
  readonly created_at: Date;
  readonly due_at: Date;
  readonly attempts: Delivery['attempts'];
}

export const adminWebhookRoutes = (app: App, { db, pool }: QueryContext): void => {
  const hooks = {
    sorts: { url: 'url', updated: 'updated_at' },
    usual: 'url',
    id: 'id',
    select({ search }: QueryOf<typeof adminWebhookCalls.list>) {
      const found = db.selectFrom('hook').selectAll();
      return search ? found.where(contains(['url', 'description'], search)) : found;
    },
  };
  listRoute(app, adminWebhookCalls.list, hooks, async (rows) => {
    const found = await pool.query<Last & { id: number }>(LAST, [rows.map(({ id }) => id)]);
    const lasts = new Map(found.rows.map((row) => [row.id, row]));
    return rows.map(({ id, is_active, updated_at, ...facts }) => {
      const { waiting = 0, lastTriedAt = null, lastStatus = null }: Partial<Last> = lasts.get(id) ?? {};
      return {
        ...toSavedWebhook({ ...facts, hookId: id, isActive: is_active, at: updated_at }),
        ...{ waiting, lastTriedAt: lastTriedAt?.toISOString() ?? null, lastStatus },
      };
    });
  });

  const deliveries = {
    sorts: { id: 'id' },
    usual: '-id',
    id: 'id',
    select({ hook, status }: QueryOf<typeof adminWebhookCalls.deliveries>) {
      const table = sql<DeliveryRow>`app.hook_delivery`.as('d');
      const found = db.selectFrom(table).selectAll().where('hook_id', '=', hook);
      return status ? found.where('status', '=', status) : found;
    },
  };
  listRoute(app, adminWebhookCalls.deliveries, deliveries, (rows) =>
    rows.map(({ id, message_id, type, body, status, created_at, due_at, attempts }) => ({
      ...{ id: Number(id), messageId: message_id, type, body, status, attempts: [...attempts] },
      createdAt: new Date(created_at).toISOString(),
      dueAt: status === 'waiting' ? new Date(due_at).toISOString() : null,
    })),
  );
};
