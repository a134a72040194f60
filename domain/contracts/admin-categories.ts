import * as z from 'zod/mini';
import { categorySlug, graphemes } from '#domain/content/category.ts';
import { call } from './call.ts';
import { category } from './catalogue.ts';
import { listQuery, orRow, said } from './envelope.ts';
import { idParams, LONGEST, optionalText, since, text } from './fields.ts';

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

const query = listQuery(['name', 'events'], {});
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

/** The calls of `/api/admin/categories`. */
export const adminCategoryCalls = {
  /** In the order in which they were added where no other is asked for. The search looks at name and description. */
  list: call('GET /api/admin/categories', { query, answer: z.array(adminCategory), ...administer }),
  exportCsv: call('GET /api/admin/categories/export-csv', {
    query,
    answer: 'text/csv',
    limit: 'export',
    ...administer,
  }),
  /** Refused with `NAME_TAKEN` where another one has the slug that the name makes. */
  create: call('POST /api/admin/categories', {
    body: orRow(categoryRequest, adminCategory),
    answer: savedCategory,
    status: [201],
    idempotent: true,
    ...changing,
  }),
  /** The slug stays, whatever the name becomes. */
  edit: call('PUT /api/admin/categories/{id}', {
    params: idParams(),
    body: orRow(editCategoryRequest, adminCategory),
    answer: savedCategory,
    ...changing,
  }),
  /** Refused with `IN_USE`, and what uses it, while events are in it. */
  remove: call('DELETE /api/admin/categories/{id}', { params: idParams(), answer: said(), ...changing }),
};
