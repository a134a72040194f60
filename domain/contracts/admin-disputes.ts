import * as z from 'zod/mini';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { money } from './fields.ts';

/** Where a dispute stands: with the bank, or decided for us or for the card's holder. */
export const disputeStatus = z.enum(['open', 'won', 'lost']);

/** A dispute of a payment by card, for superusers. */
export const adminDispute = z.object({
  /** The provider's id. */
  id: z.string(),
  bookingId: z.int(),
  /** Null while there is no booking for the payment. */
  bookingReference: z.nullable(z.string()),
  /** Null once the account is erased. */
  userEmail: z.nullable(z.string()),
  eventTitle: z.nullable(z.string()),
  amount: money(),
  /** The provider's word for it: `fraudulent`. */
  reason: z.string(),
  status: disputeStatus,
  /** Whether, while it is open, the bank only asks and has taken no money: the ticket admits, and a refund can be approved. */
  inquiry: z.boolean(),
  /** Until when the provider takes evidence. */
  dueBy: z.nullable(z.string()),
  createdAt: z.string(),
  closedAt: z.nullable(z.string()),
});
export type AdminDispute = z.infer<typeof adminDispute>;

export const disputeCalls = {
  /** Open ones first where no order is asked for, then the newest. The search looks at reference, customer and event. */
  list: call('GET /api/admin/disputes', {
    query: listQuery(['amount', 'opened'], { status: z.optional(disputeStatus) }),
    answer: z.array(adminDispute),
    capability: 'administer',
  }),
};
