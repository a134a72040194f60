import * as z from 'zod/mini';
import { categorySlug, graphemes } from '#domain/content/category.ts';
import { category } from './catalogue.ts';
import { crudCalls } from './crud.ts';
import { idText, LONGEST, optionalText, since, text } from './fields.ts';

/** `/api/admin/categories*`. Texts of the superusers' specification, section 5. */

const missing = 'Please provide both name and emoji for the category';

/** `POST /api/admin/categories` */
export const categoryRequest = z.strictObject({
  name: text(LONGEST.name, missing).check(
    z.refine((name) => categorySlug(name) !== '', 'Use letters from A to Z, or digits'),
  ),
  /** Counted as people count: a flag is one character. */
  emoji: text(50, missing).check(
    z.refine((emoji) => graphemes(emoji) <= 2, 'Emoji must be at most 2 characters'),
  ),
  description: optionalText(LONGEST.reason),
});
export type CategoryRequest = z.output<typeof categoryRequest>;
/** `PUT /api/admin/categories/{id}` */
export const editCategoryRequest = z.extend(categoryRequest, since());

/** A category that was made or edited. */
const savedCategory = z.extend(category, { revision: z.string() });

/** An item of `GET /api/admin/categories`. */
export const adminCategory = z.extend(savedCategory, {
  /** The events in it, past and inactive ones too. While there are any, it can't be deleted. */
  eventCount: z.int(),
});
export type AdminCategory = z.infer<typeof adminCategory>;

/**
 * The calls of `/api/admin/categories`. The list is in the order of creation unless the query says otherwise, and searches name and
 * description. `create` is refused with `NAME_TAKEN` where another category has the slug that the name makes; an edit keeps the slug.
 * `remove` is refused with `IN_USE`, and what uses it, while events are in the category.
 */
export const adminCategoryCalls = {
  ...crudCalls('/api/admin/categories', {
    request: categoryRequest,
    item: savedCategory,
    listed: adminCategory,
    sorts: ['name', 'events'],
    id: idText(),
  }),
};
