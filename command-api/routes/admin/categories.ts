import { addCategory, editCategory, removeCategory, slugOf } from '#command-api/catalogue/categories.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { adminCategoryCalls } from '#domain/contracts/admin-categories.ts';
import type { App } from '#infra/http/server.ts';

/** Changes to categories by superusers. */
export const adminCategoryRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'database'>,
): void => {
  const change = changesOn(app, deps);

  change(
    adminCategoryCalls.create,
    async ({ body }, { acting, ids }) => ({ ...body, ...(await addCategory(deps, body, acting, ids.id)) }),
    async () => ({ id: await deps.ids.next('category') }),
  );

  change(adminCategoryCalls.edit, async ({ params: { id }, body }, { acting }) => {
    const slug = await slugOf(deps, id);
    await editCategory(slug, body, acting);
    return { id, slug, ...body };
  });

  change(adminCategoryCalls.remove, async ({ params: { id } }, { acting }) => {
    await removeCategory(deps, await slugOf(deps, id), acting);
    return { message: 'Category deleted' };
  });
};
