import * as z from 'zod/mini';
import { disputeStatus } from './admin-disputes.ts';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { blankable, idParams, LONGEST, money } from './fields.ts';

/** The statuses of a refund for superusers. `processing` means that it awaits review or that the provider has it. */
export const ADMIN_REFUND_STATUSES = ['processing', 'completed', 'denied'] as const;

/** The labels in the superusers' specification, section 4. Anything else is "Pending Review". */
export const processingTypeLabels = {
  auto_approved: 'Auto-approved (>24hrs)',
  auto_denied: 'Auto-denied (<24hrs)',
  manual: 'Manual Review',
} as const;

/** A refund, for superusers. It has its booking's id. */
export const adminRefund = z.object({
  id: z.int(),
  bookingId: z.int(),
  bookingReference: z.string(),
  userId: z.string(),
  /** Null once the account is erased. */
  userEmail: z.nullable(z.string()),
  eventId: z.int(),
  eventTitle: z.nullable(z.string()),
  refundAmount: money(),
  paidAmount: money(),
  refundReason: z.nullable(z.string()),
  status: z.enum(ADMIN_REFUND_STATUSES),
  processingType: z.enum(['auto_approved', 'auto_denied', 'manual']),
  /** "With the provider", why it failed, or why it is final. */
  note: z.nullable(z.string()),
  /** The notes of the approval, or the reason of the denial. */
  decision: z.nullable(z.string()),
  /** Whether its booking was reinstated: it stays denied, and no decision on it is taken (REFUND_WITHDRAWN). */
  withdrawn: z.boolean(),
  /** The last dispute of the payment; null if there is none. */
  dispute: z.nullable(disputeStatus),
  createdAt: z.string(),
});
export type AdminRefund = z.infer<typeof adminRefund>;

/** Statistics of all refunds. `pending` counts those with the status `processing`. */
export const refundStats = z.object({
  total: z.int(),
  pending: z.int(),
  completed: z.int(),
  totalAmount: money(),
});

/**
 * Approves a refund, denies it (with the reason in `notes`), or with null puts it back to review. With the `status` that it was decided
 * on it is refused with CONFLICT where somebody else has decided meanwhile.
 */
export const processRefundRequest = z
  .strictObject({
    approved: z.nullable(z.boolean('Must be true, false or null')),
    notes: z.nullish(blankable(LONGEST.reason)),
    status: z.optional(z.enum(ADMIN_REFUND_STATUSES)),
  })
  .check(
    z.refine((request) => request.approved !== false || !!request.notes, {
      error: 'Denial reason is required',
      path: ['notes'],
    }),
  );
export type ProcessRefundRequest = z.infer<typeof processRefundRequest>;

/** The notes of an approval that was given without notes. */
export const DEFAULT_APPROVAL = 'Approved by admin';

/** The answer to a decision. */
export const processedRefund = z.object({ message: z.string(), refund: adminRefund });

const query = listQuery(['id', 'user', 'event', 'amount', 'requested'], {
  status: z.optional(z.enum(ADMIN_REFUND_STATUSES)),
  processing: z.optional(z.enum(['auto_approved', 'auto_denied', 'manual'])),
});

/** `/api/admin/refunds*` */
export const refundCalls = {
  /** The newest first where no order is asked for. The search looks at reference, customer and event. */
  list: call('GET /api/admin/refunds', {
    query,
    answer: z.array(adminRefund),
    capability: 'administer',
  }),
  exportCsv: call('GET /api/admin/refunds/export-csv', {
    query,
    answer: 'text/csv',
    capability: 'administer',
    limit: 'export',
  }),
  stats: call('GET /api/admin/refunds/stats', { answer: refundStats, capability: 'administer' }),
  process: call('POST /api/admin/refunds/{id}/process', {
    params: idParams(),
    body: processRefundRequest,
    answer: processedRefund,
    capability: 'administer',
    limit: 'administration',
    idempotent: true,
  }),
};
