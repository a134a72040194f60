import type { QueryKey } from '@tanstack/react-query';
import type { Call } from '#domain/contracts/call.ts';

/**
 * Query key of a call: path segments, then arguments. Without arguments it covers the calls below the path
 * (`/api/admin/refunds` also `/api/admin/refunds/stats`); with `{}` only this call, whatever its arguments.
 */
export const keyOf = ({ path }: Call, asked?: object | null): QueryKey => [
  ...path.split('/').slice(1),
  ...(asked ? [asked] : []),
];
