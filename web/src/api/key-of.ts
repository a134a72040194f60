import type { QueryKey } from '@tanstack/react-query';
import type { Call } from '#domain/contracts/call.ts';

/**
 * The query key of a call's answers: the parts of its path, then what it was asked. To invalidate `/api/admin/refunds` is
 * therefore to invalidate `/api/admin/refunds/stats` too.
 */
export const keyOf = (
  { path }: Call,
  asked?: { readonly params?: unknown; readonly query?: unknown } | null,
): QueryKey => [
  ...path.split('/').slice(1),
  ...(asked ? [{ params: asked.params, query: asked.query }] : []),
];
