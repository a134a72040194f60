import * as z from 'zod/mini';
import { categorySlug, graphemes } from '#domain/content/category.ts';
import { category } from './catalogue.ts';
import { crudCalls } from './crud.ts';
import { idText, LONGEST, optionalText, since, text } from './fields.ts';

const missing = 'Please provide both name and emoji for the category';

export const categoryRequest = z.strictObject({
  name: text(LONGEST.name, missing).check(
    z.refine((name) => categorySlug(name) !== '', 'Use letters from A to Z, or digits'),
  ),
  /** In graphemes: a flag is one character. */
  emoji: text(50, missing).check(
    z.refine((emoji) => graphemes(emoji) <= 2, 'Emoji must be at most 2 characters'),
  ),
  description: optionalText(LONGEST.reason),
});
export type CategoryRequest = z.output<typeof categoryRequest>;
export const editCategoryRequest = z.extend(categoryRequest, since());

const savedCategory = z.extend(category, { revision: z.string() });

export const adminCategory = z.extend(savedCategory, {
  eventCount: z.int(),
});
export type AdminCategory = z.infer<typeof adminCategory>;

/** A slug is unique (`NAME_TAKEN`) and survives edits. `remove` fails with `IN_USE` while the category has events. */
export const adminCategoryCalls = {
  ...crudCalls('/api/admin/categories', {
    request: categoryRequest,
    item: savedCategory,
    listed: adminCategory,
    sorts: ['name', 'events'],
    id: idText(),
  }),
};
