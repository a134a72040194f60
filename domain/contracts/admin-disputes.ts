import * as z from 'zod/mini';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { money } from './fields.ts';

/** `open`: with the bank; `won`: decided for us; `lost`: for the cardholder. */
export const disputeStatus = z.enum(['open', 'won', 'lost']);

export const adminDispute = z.object({
  id: z.string(),
  bookingId: z.int(),
  bookingReference: z.nullable(z.string()),
  userEmail: z.nullable(z.string()),
  eventTitle: z.nullable(z.string()),
  amount: money(),
  reason: z.string(),
  status: disputeStatus,
  /** Has taken no money: the ticket admits, and a refund can be approved. */
  inquiry: z.boolean(),
  dueBy: z.nullable(z.string()),
  createdAt: z.string(),
  closedAt: z.nullable(z.string()),
});
export type AdminDispute = z.infer<typeof adminDispute>;

export const disputeCalls = {
  list: call('GET /api/admin/disputes', {
    query: listQuery(['amount', 'opened'], { status: z.optional(disputeStatus) }),
    answer: z.array(adminDispute),
    capability: 'administer',
  }),
};
