import * as z from 'zod/mini';
import { ROLES } from '#domain/account/events.ts';
import { user } from './auth.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { blankable, LONGEST, money, since } from './fields.ts';

/** `/api/admin/users*`. */

/** `PATCH /api/admin/users/{id}`. What isn't sent stays. */
export const editUserRequest = z.strictObject({
  role: z.optional(z.enum(ROLES, 'Must be a role')),
  isActive: z.optional(z.boolean('Must be true or false')),
  ...since(),
});

/** `PATCH /api/admin/users/{id}/soft-delete` */
export const softDeleteRequest = z.nullish(z.strictObject({ reason: z.nullish(blankable(LONGEST.reason)) }));

/** `DELETE /api/admin/users/{id}/hard-delete` */
export const hardDeleteRequest = z.strictObject({
  confirmPermanent: z.literal(true, 'A permanent deletion has to be confirmed'),
});

/** What deleting an account for good would cancel, and pay back in full, and the name of its receipt (`profileCalls.erasureReceipt`). */
export const userDeletionQuote = z.object({ bookings: z.int(), refundTotal: money(), receipt: z.string() });

/** An account as superusers see it. */
export const adminUser = z.extend(user, {
  isActive: z.boolean(),
  /** Whether a sign-in needs a code too. */
  secondFactor: z.boolean(),
  /** Hidden, with all data kept, until it is restored. */
  isDeleted: z.boolean(),
  deletedAt: z.nullable(z.string()),
  deletionReason: z.nullable(z.string()),
  revision: z.string(),
});
export type AdminUser = z.infer<typeof adminUser>;

const query = listQuery(['name', 'email', 'role', 'joined'], {
  role: z.optional(z.enum(ROLES)),
  status: z.optional(z.enum(['active', 'inactive'])),
  /** Soft-deleted accounts too. */
  includeDeleted: z.optional(z.enum(['true', 'false'])),
});
const params = z.object({ id: z.uuid('No such user') });
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

/**
 * The calls of `/api/admin/users`. A superuser can't take their own rights away (`NOT_YOURSELF`), and the last one keeps theirs
 * (`LAST_SUPERUSER`). Sessions follow each change at once.
 */
export const adminUserCalls = {
  /** The latest first where no order is asked for. The search looks at names and address. */
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
  /** The same without a reason. */
  remove: call('DELETE /api/admin/users/{id}', { params, answer: said(), ...changing }),
  restore: call('PATCH /api/admin/users/{id}/restore', { params, answer: said(), ...changing }),
  deletionQuote: call('GET /api/admin/users/{id}/deletion-quote', {
    params,
    answer: userDeletionQuote,
    ...administer,
  }),
  /**
   * Erases the person for good, after their bookings that lie ahead were cancelled and paid back in full, and after they were mailed.
   * UNAVAILABLE if a mail could not be sent yet: they are signed out, and the site goes on with it by itself.
   */
  hardDelete: call('DELETE /api/admin/users/{id}/hard-delete', {
    params,
    body: hardDeleteRequest,
    /** `pending`: its sessions and purchases have ended, and its data is destroyed once its last mails are sent. */
    answer: z.extend(said(), { pending: z.boolean() }),
    ...changing,
  }),
};
