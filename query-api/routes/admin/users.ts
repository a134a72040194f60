import { toAdminUser } from '#domain/answers/accounts.ts';
import { adminUserCalls } from '#domain/contracts/admin-users.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { receiptOf } from '#infra/keys/erasure-receipt.ts';
import { deletionReasonPlace, openTexts } from '#infra/read-models/sealed-text.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { accounts, userParts } from '#query-api/queries/accounts.ts';
import { cancellable } from '#query-api/queries/bookings.ts';
import { contains } from '#query-api/queries/contains.ts';
import { atHome, exportedListRoutes } from '#query-api/routes/list.ts';

const statusOf = ({ isDeleted, isActive }: { isDeleted: boolean; isActive: boolean }): string =>
  isDeleted ? 'Soft Deleted' : isActive ? 'Active' : 'Inactive';

export const adminUserRoutes = (app: App, context: QueryContext): void => {
  const { db, keys, clock } = context;
  route(app, adminUserCalls.deletionQuote, async ({ params: { id } }) => {
    const { bookings, paid } = await cancellable(db)
      .where('b.user_id', '=', id)
      .where('l.starts_at', '>', clock().toISOString())
      .executeTakeFirstOrThrow();
    return { bookings, refundTotal: toDecimal(Number(paid)), receipt: receiptOf(id) };
  });

  exportedListRoutes(app, context, adminUserCalls.list, adminUserCalls.exportCsv, {
    name: 'users',
    sorts: { name: 'p.first_name', email: 'p.email', role: 'a.role', joined: 'a.registered_at' },
    usual: '-joined',
    id: 'a.id',
    select({ search = '', role, status, includeDeleted }) {
      let found = accounts(db);
      if (includeDeleted !== 'true') found = found.where('a.deleted_at', 'is', null);
      if (role) found = found.where('a.role', '=', role);
      if (status)
        found = found.where((is) => {
          const active = is.and([is('a.is_active', '=', true), is('a.deleted_at', 'is', null)]);
          return is(active, '=', status === 'active');
        });
      for (const word of search.split(/\s+/).filter(Boolean))
        found = found.where(contains(['p.email', 'p.first_name', 'p.last_name'], word));
      return found;
    },
    items: async (rows) => {
      const reasons = await openTexts(
        keys,
        rows.map(({ id, deletion_reason: text }) => ({ text, place: deletionReasonPlace(id) })),
      );
      return rows.map((row, index) =>
        toAdminUser({
          ...userParts(row),
          active: row.is_active,
          secondFactor: row.second_factor,
          deletedAt: row.deleted_at,
          deletionReason: reasons[index] || null,
        }),
      );
    },
    columns: [
      ['ID', ({ id }) => id],
      ['Email', ({ email }) => email],
      ['First name', ({ firstName }) => firstName],
      ['Last name', ({ lastName }) => lastName],
      ['Role', ({ role }) => role],
      ['Status', statusOf],
      ['Date of birth', ({ dateOfBirth }) => dateOfBirth],
      ['Favourite categories', ({ preferences }) => preferences.favoriteCategories.join(', ')],
      ['Joined (London)', ({ createdAt }) => atHome(createdAt)],
      ['Deleted (London)', ({ deletedAt }) => atHome(deletedAt)],
      ['Reason', ({ deletionReason }) => deletionReason],
    ],
  });
};
