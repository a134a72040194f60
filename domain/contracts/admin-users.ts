import * as z from 'zod/mini';
import { ROLES } from '#domain/account/events.ts';
import { user } from './auth.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { blankable, LONGEST, money, since } from './fields.ts';

export const editUserRequest = z.strictObject({
  role: z.optional(z.enum(ROLES, 'Must be a role')),
  isActive: z.optional(z.boolean('Must be true or false')),
  ...since(),
});

export const softDeleteRequest = z.nullish(z.strictObject({ reason: z.nullish(blankable(LONGEST.reason)) }));

export const hardDeleteRequest = z.strictObject({
  confirmPermanent: z.literal(true, 'A permanent deletion has to be confirmed'),
});

export const userDeletionQuote = z.object({ bookings: z.int(), refundTotal: money(), receipt: z.string() });

export const adminUser = z.extend(user, {
  isActive: z.boolean(),
  secondFactor: z.boolean(),
  /** Hidden until restored. */
  isDeleted: z.boolean(),
  deletedAt: z.nullable(z.string()),
  deletionReason: z.nullable(z.string()),
  revision: z.string(),
});
export type AdminUser = z.infer<typeof adminUser>;

const query = listQuery(['name', 'email', 'role', 'joined'], {
  role: z.optional(z.enum(ROLES)),
  status: z.optional(z.enum(['active', 'inactive'])),
  includeDeleted: z.optional(z.enum(['true', 'false'])),
});
const params = z.object({ id: z.uuid('No such user') });
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

/** Superusers cannot remove their own rights (`NOT_YOURSELF`), nor the last superuser's (`LAST_SUPERUSER`). */
export const adminUserCalls = {
  list: call('GET /api/admin/users', { query, answer: z.array(adminUser), ...administer }),
  exportCsv: call('GET /api/admin/users/export-csv', {
    query,
    answer: 'text/csv',
    limit: 'export',
    ...administer,
  }),
  edit: call('PATCH /api/admin/users/{id}', {
    params,
    body: editUserRequest,
    answer: z.extend(said(), z.pick(adminUser, { role: true, isActive: true, revision: true }).shape),
    ...changing,
  }),
  softDelete: call('PATCH /api/admin/users/{id}/soft-delete', {
    params,
    body: softDeleteRequest,
    answer: said(),
    ...changing,
  }),
  remove: call('DELETE /api/admin/users/{id}', { params, answer: said(), ...changing }),
  restore: call('PATCH /api/admin/users/{id}/restore', { params, answer: said(), ...changing }),
  deletionQuote: call('GET /api/admin/users/{id}/deletion-quote', {
    params,
    answer: userDeletionQuote,
    ...administer,
  }),
  /**
   * Cancels and fully refunds upcoming bookings, and mails the person. `UNAVAILABLE` if a mail is still
   * unsent: the site continues by itself.
   */
  hardDelete: call('DELETE /api/admin/users/{id}/hard-delete', {
    params,
    body: hardDeleteRequest,
    /** Sessions and purchases have ended; the data is destroyed once the last mails are sent. */
    answer: z.extend(said(), { pending: z.boolean() }),
    ...changing,
  }),
};
