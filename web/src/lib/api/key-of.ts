import type { QueryKey } from '@tanstack/react-query';
import type { Call } from '#domain/contracts/call.ts';

/**
 * Query key of a call: path segments, then arguments. Invalidating `/api/admin/refunds` therefore also
 * invalidates `/api/admin/refunds/stats`.
 */
export const keyOf = (
  { path }: Call,
  asked?: { readonly params?: unknown; readonly query?: unknown } | null,
): QueryKey => [
  ...path.split('/').slice(1),
  ...(asked ? [{ params: asked.params, query: asked.query }] : []),
];
