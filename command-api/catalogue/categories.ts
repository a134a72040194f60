import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { category, categorySlug } from '#domain/content/category.ts';

/** A category as a form gives it. */
export interface CategoryRequest {
  readonly name: string;
  /** At most two characters, counted as a person counts them. */
  readonly emoji: string;
  readonly description: string;
}

/** Adds a category under the slug of its name, which never changes. @throws Refusal NAME_TAKEN, BAD_INPUT */
export const addCategory = async (
  { ids }: Pick<CommandDeps, 'ids'>,
  request: CategoryRequest,
  acting: ActingLane,
): Promise<{ readonly id: number; readonly slug: string }> => {
  const slug = categorySlug(request.name);
  const id = await ids.next('category');
  await acting.do(category, slug, { type: 'AddCategory', categoryId: id, slug, ...request });
  return { id, slug };
};

/** Edits a category's name, emoji and description; its slug stays. @throws Refusal NOT_FOUND, BAD_INPUT */
export const editCategory = (slug: string, request: CategoryRequest, acting: ActingLane) =>
  acting.do(category, slug, { type: 'EditCategory', ...request });
