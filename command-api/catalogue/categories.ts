import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { toSavedCategory } from '#domain/answers/content.ts';
import { category, categorySlug } from '#domain/content/category.ts';
import type { CategoryRequest } from '#domain/contracts/admin-categories.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { caughtUp, changeUnused } from './uses.ts';

/**
 * Adds a category under the slug of its name, which never changes, and under an id of its own unless one is given.
 * @throws Refusal NAME_TAKEN, BAD_INPUT
 */
export const addCategory = async (
  { ids }: Pick<CommandDeps, 'ids'>,
  request: CategoryRequest,
  acting: ActingLane,
  given?: number,
): Promise<{ readonly id: number; readonly slug: string }> => {
  const slug = categorySlug(request.name);
  const id = given ?? (await ids.next('category'));
  await acting.do(category, slug, { type: 'AddCategory', categoryId: id, slug, ...request });
  return { id, slug };
};

/** A category as its superusers' form shows it. @throws Refusal NOT_FOUND */
export const savedCategoryOf = async (slug: string, acting: ActingLane) => {
  const { categoryId: id, name, emoji, description } = (await acting.state(category, slug)).state;
  if (id === null) throw new Refusal('NOT_FOUND');
  return toSavedCategory({ id, slug, name, emoji, description });
};

/** Edits a category's name, emoji and description; its slug stays. @throws Refusal NOT_FOUND, BAD_INPUT */
export const editCategory = (slug: string, request: CategoryRequest, acting: ActingLane) =>
  acting.do(category, slug, { type: 'EditCategory', ...request });

/** Takes a category off the lists. @throws Refusal NOT_FOUND; IN_USE, and its message names the listings in it */
export const removeCategory = async (
  { database }: Pick<CommandDeps, 'database'>,
  slug: string,
  acting: ActingLane,
): Promise<void> => {
  await changeUnused(database, ['category', slug], acting, {
    change: (usedBy) => acting.do(category, slug, { type: 'ArchiveCategory', usedBy }),
    restore: () => restoreCategory(slug, acting),
  });
};

/** Puts a category back on the lists that was archived while something began to use it. */
export const restoreCategory = (slug: string, acting: ActingLane) =>
  acting.do(category, slug, { type: 'RestoreCategory' });

const SLUG = /^[a-z0-9-]+$/;

/**
 * The slug of the category that a read model knows by its id or name. One that it doesn't know may have been added just now: it is looked for
 * once more when the read model shows all that this process has heard of. @throws Refusal UNAVAILABLE
 */
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

/** The slug of a category that is called by its slug or, in any case of letters, by its name. What is no category's name stays as it is. @throws Refusal UNAVAILABLE */
export const slugNamed = async (
  deps: Pick<CommandDeps, 'database' | 'log'>,
  named: string,
): Promise<string> =>
  SLUG.test(named) ? named : ((await slugWhere(deps, 'lower(name) = lower($1)', named)) ?? named);

/** The slug of the category with an id, which stays the same for good. @throws Refusal NOT_FOUND, UNAVAILABLE */
export const slugOf = async (
  deps: Pick<CommandDeps, 'database' | 'log'>,
  id: number,
  acting: ActingLane,
): Promise<string> => {
  const slug = await slugWhere(deps, 'id = $1', id);
  // A category that was deleted may have given its slug to another one just now.
  if (slug === undefined || (await acting.state(category, slug)).state.categoryId !== id)
    throw new Refusal('NOT_FOUND');
  return slug;
};
