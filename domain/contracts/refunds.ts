import * as z from 'zod/mini';
import { disputeStatus } from './admin-disputes.ts';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { blankable, idParams, LONGEST, money } from './fields.ts';

/** `processing`: under review or with the provider. */
export const ADMIN_REFUND_STATUSES = ['processing', 'completed', 'denied'] as const;

/** Superusers' specification, section 4. The fallback is "Pending Review". */
export const processingTypeLabels = {
  auto_approved: 'Auto-approved (>24hrs)',
  auto_denied: 'Auto-denied (<24hrs)',
  manual: 'Manual Review',
} as const;

export const adminRefund = z.object({
  id: z.int(),
  bookingId: z.int(),
  bookingReference: z.string(),
  userId: z.string(),
  userEmail: z.nullable(z.string()),
  eventId: z.int(),
  eventTitle: z.nullable(z.string()),
  refundAmount: money(),
  paidAmount: money(),
  refundReason: z.nullable(z.string()),
  status: z.enum(ADMIN_REFUND_STATUSES),
  processingType: z.enum(['auto_approved', 'auto_denied', 'manual']),
  note: z.nullable(z.string()),
  decision: z.nullable(z.string()),
  /** By a reinstatement: decisions fail with REFUND_WITHDRAWN. */
  withdrawn: z.boolean(),
  dispute: z.nullable(disputeStatus),
  createdAt: z.string(),
});
export type AdminRefund = z.infer<typeof adminRefund>;

export const refundStats = z.object({
  total: z.int(),
  pending: z.int(),
  completed: z.int(),
  totalAmount: money(),
});

/** Null reopens the review; a denial has its reason in `notes`. CONFLICT if `status` is no longer current. */
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

export const DEFAULT_APPROVAL = 'Approved by admin';

export const processedRefund = z.object({ message: z.string(), refund: adminRefund });

const query = listQuery(['id', 'user', 'event', 'amount', 'requested'], {
  status: z.optional(z.enum(ADMIN_REFUND_STATUSES)),
  processing: z.optional(z.enum(['auto_approved', 'auto_denied', 'manual'])),
});

export const refundCalls = {
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
