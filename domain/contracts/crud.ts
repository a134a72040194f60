import * as z from 'zod/mini';
import { listQuery, orRow, said } from './envelope.ts';
import { since } from './fields.ts';

/**
 * Spread the calls into an `export const {name}Calls = {`, which the client's build looks for.
 * @param request the form; `edited` the edit form, if different
 * @param item the answer about one item; `listed` a list item, if it has more
 * @param id default: a UUID
 */
// @__NO_SIDE_EFFECTS__
export function crudCalls<
  const Path extends `/${string}`,
  Request extends z.ZodMiniObject,
  Item extends z.ZodMiniObject,
  const Sort extends string,
  Edited extends z.ZodMiniObject = Request,
  Listed extends z.ZodMiniObject = Item,
  Filters extends z.core.$ZodShape = Record<never, never>,
  Id extends z.ZodMiniType<string | number> = z.ZodMiniUUID,
>(
  path: Path,
  {
    request,
    edited = request as unknown as Edited,
    item,
    listed = item as unknown as Listed,
    sorts,
    filters = {} as Filters,
    id = z.uuid() as unknown as Id,
  }: {
    readonly request: Request;
    readonly edited?: Edited;
    readonly item: Item;
    readonly listed?: Listed;
    readonly sorts: readonly Sort[];
    readonly filters?: Filters;
    readonly id?: Id;
  },
) {
  const query = listQuery(sorts, filters);
  const params = z.object({ id });
  const administer = { capability: 'administer' } as const;
  const changing = { ...administer, limit: 'administration' } as const;
  return {
    list: { method: 'GET', path, query, answer: z.array(listed), ...administer },
    exportCsv: {
      method: 'GET',
      path: `${path}/export-csv`,
      query,
      answer: 'text/csv',
      limit: 'export',
      ...administer,
    },
    create: {
      method: 'POST',
      path,
      body: orRow(request, listed),
      answer: item,
      status: [201],
      idempotent: true,
      ...changing,
    },
    edit: {
      method: 'PUT',
      path: `${path}/{id}`,
      params,
      body: orRow(z.extend(edited, since()), listed),
      answer: item,
      ...changing,
    },
    remove: { method: 'DELETE', path: `${path}/{id}`, params, answer: said(), ...changing },
  } as const;
}
