import { sql } from 'kysely';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { addressPlace } from '#infra/event-log/codec.ts';
import type { App } from '#infra/http/server.ts';
import { openTexts } from '#infra/read-models/sealed-text.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { exportedListRoutes } from '#query-api/routes/list.ts';

export const adminAuditTrailRoutes = (app: App, context: QueryContext): void => {
  const { db, keys } = context;
  exportedListRoutes(app, context, overviewCalls.audit, overviewCalls.exportAudit, {
    name: 'audit',
    sorts: { date: 'a.position' },
    usual: '-date',
    id: 'a.id',
    select({ entity, search }) {
      let found = db
        .selectFrom('audit as a')
        .leftJoin('person as p', (on) =>
          on.on('p.account_id', '=', sql`case when a.actor_kind = 'user' then a.actor_id::uuid end`),
        )
        .selectAll('a')
        .select('p.email');
      if (entity) found = found.where('a.entity_type', '=', entity);
      if (!search) return found;
      const people = db
        .selectFrom('person')
        .select(sql<string>`account_id::text`.as('id'))
        .where(contains(['email'], search));
      return found.where((eb) =>
        eb.or([
          contains(['a.details', 'a.entity_id'], search),
          eb.and([eb('a.actor_kind', '=', 'user'), eb('a.actor_id', 'in', people)]),
        ]),
      );
    },
    items: async (rows) => {
      const addresses = await openTexts(
        keys,
        rows.map(({ ip, correlation_id }) => ({ text: ip, place: addressPlace(correlation_id) })),
      );
      return rows.map((row, index) => ({
        id: row.id,
        userId: row.actor_kind === 'user' ? row.actor_id : null,
        userEmail: row.email,
        action: row.action,
        entityType: row.entity_type,
        entityId: row.entity_id,
        details: row.details,
        ipAddress: addresses[index] ?? null,
        createdAt: row.at,
      }));
    },
    columns: [
      ['Time', ({ createdAt }) => createdAt],
      ['User ID', ({ userId }) => userId],
      ['User', ({ userEmail }) => userEmail],
      ['Action', ({ action }) => action],
      ['Entity', ({ entityType }) => entityType],
      ['Entity ID', ({ entityId }) => entityId],
      ['Details', ({ details }) => details],
      ['IP address', ({ ipAddress }) => ipAddress],
    ],
  });
};
