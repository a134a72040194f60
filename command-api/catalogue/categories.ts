import { category, categorySlug } from '#domain/content/category.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { accepted } from '#infra/http/errors.ts';
import type { CatalogueDeps } from './deps.ts';

/** A category as a form gives it. */
export interface CategoryRequest {
  readonly name: string;
  /** At most two characters, as people count them. */
  readonly emoji: string;
  readonly description: string;
}

/** Where a category is after a change. A slug never changes; the name may. */
export interface ChangedCategory {
  readonly id: number;
  readonly slug: string;
  readonly position: Position;
}

/** Adds a category under the slug of its name. @throws HttpError NAME_TAKEN, BAD_INPUT */
export const addCategory = async (
  { lane, ids }: CatalogueDeps,
  request: CategoryRequest,
  context: Context,
): Promise<ChangedCategory> => {
  const slug = categorySlug(request.name);
  const id = await ids.next('category');
  const command = { type: 'AddCategory', categoryId: id, slug, ...request } as const;
  const { position } = accepted(await lane.execute(category, slug, command, context));
  return { id, slug, position };
};

/** Edits what a category is called and looks like; its slug stays. @throws HttpError NOT_FOUND, BAD_INPUT */
export const editCategory = async (
  { lane }: CatalogueDeps,
  slug: string,
  request: CategoryRequest,
  context: Context,
): Promise<ChangedCategory> => {
  const outcome = accepted(await lane.execute(category, slug, { type: 'EditCategory', ...request }, context));
  return { id: outcome.state.categoryId ?? 0, slug, position: outcome.position };
};
