import { toAdminImage } from '#domain/answers/content.ts';
import { adminImageCalls } from '#domain/contracts/admin-images.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { listRoute } from '#query-api/routes/list.ts';

export const adminImageRoutes = (app: App, { db, config }: QueryContext): void => {
  const source = {
    sorts: { name: 'original_name', size: 'bytes', date: 'created_at' },
    usual: '-date' as const,
    id: 'id',
    select({ type, search }: QueryOf<typeof adminImageCalls.list>) {
      let found = db.selectFrom('image').selectAll();
      if (type) found = found.where('use', '=', type);
      return search ? found.where(contains(['original_name'], search)) : found;
    },
  };
  listRoute(app, adminImageCalls.list, source, (rows) =>
    rows.map(({ id: imageId, original_name: originalName, created_at, ...facts }) =>
      toAdminImage({ imageId, originalName, ...facts }, created_at, config.baseUrl),
    ),
  );
};
