import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { toSavedCategory } from '#domain/answers/content.ts';
import { category, categorySlug } from '#domain/content/category.ts';
import type { CategoryRequest } from '#domain/contracts/admin-categories.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { caughtUp, changeUnused } from './uses.ts';

/** @throws Refusal NAME_TAKEN, BAD_INPUT */
export const addCategory = async (
  { ids }: Pick<CommandDeps, 'ids'>,
  request: CategoryRequest,
  acting: ActingHandler,
  given?: number,
): Promise<{ readonly id: number; readonly slug: string }> => {
  const slug = categorySlug(request.name);
  const id = given ?? (await ids.next('category'));
  await acting.do(category, slug, { type: 'AddCategory', categoryId: id, slug, ...request });
  return { id, slug };
};

export const savedCategoryOf = async (slug: string, acting: ActingHandler) => {
  const { categoryId: id, name, emoji, description } = (await acting.state(category, slug)).state;
  if (id === null) throw new Refusal('NOT_FOUND');
  return toSavedCategory({ id, slug, name, emoji, description });
};

export const editCategory = (slug: string, request: CategoryRequest, acting: ActingHandler) =>
  acting.do(category, slug, { type: 'EditCategory', ...request });

export const removeCategory = async (
  { database }: Pick<CommandDeps, 'database'>,
  slug: string,
  acting: ActingHandler,
): Promise<void> => {
  await changeUnused(database, ['category', slug], acting, {
    change: (usedBy) => acting.do(category, slug, { type: 'ArchiveCategory', usedBy }),
    restore: () => restoreCategory(slug, acting),
  });
};

export const restoreCategory = (slug: string, acting: ActingHandler) =>
  acting.do(category, slug, { type: 'RestoreCategory' });

const SLUG = /^[a-z0-9-]+$/;

const slugWhere = async (
  { database, log }: Pick<CommandDeps, 'database' | 'log'>,
  condition: 'id = $1' | 'lower(name) = lower($1)',
  value: number | string,
): Promise<string | undefined> => {
  const ask = async () => {
    const { rows } = await database.pool.query<{ slug: string }>(
      `select slug from ${LIVE}.category where ${condition} limit 1`,
      [value],
    );
    return rows[0]?.slug;
  };
  const known = await ask();
  if (known !== undefined) return known;
  await caughtUp(database, log.heard);
  return ask();
};

export const slugNamed = async (
  deps: Pick<CommandDeps, 'database' | 'log'>,
  named: string,
): Promise<string> =>
  SLUG.test(named) ? named : ((await slugWhere(deps, 'lower(name) = lower($1)', named)) ?? named);

export const slugOf = async (
  deps: Pick<CommandDeps, 'database' | 'log'>,
  id: number,
  acting: ActingHandler,
): Promise<string> => {
  const slug = await slugWhere(deps, 'id = $1', id);
  // A deleted category's slug may belong to another one.
  if (slug === undefined || (await acting.state(category, slug)).state.categoryId !== id)
    throw new Refusal('NOT_FOUND');
  return slug;
};
