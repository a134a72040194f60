import {
  addCategory,
  editCategory,
  removeCategory,
  savedCategoryOf,
  slugOf,
} from '#command-api/catalogue/categories.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { adminCategoryCalls } from '#domain/contracts/admin-categories.ts';
import type { App } from '#infra/http/server.ts';

export const adminCategoryRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'database' | 'log'>,
): void => {
  const change = changesOn(app, deps);

  change(
    adminCategoryCalls.create,
    async ({ body }, { acting, ids }) =>
      savedCategoryOf((await addCategory(deps, body, acting, ids.id)).slug, acting),
    async () => ({ id: await deps.ids.next('category') }),
  );

  editsOn(app, deps)(
    adminCategoryCalls.edit,
    async ({ params: { id }, body }, acting) => editCategory(await slugOf(deps, id, acting), body, acting),
    async ({ params: { id } }, acting) => savedCategoryOf(await slugOf(deps, id, acting), acting),
  );

  change(adminCategoryCalls.remove, async ({ params: { id } }, { acting }) => {
    await removeCategory(deps, await slugOf(deps, id, acting), acting);
    return { message: 'Category deleted' };
  });
};
