import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import { dispute } from '#domain/dispute/dispute.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { refund } from '#domain/refund/refund.ts';

/** What was sent and downloaded: facts that nobody decides on. */
const access = { name: 'access' };

/** The streams that are about one booking. What came before it is in its buyer's checkout of the listing. */
export const streamsOf = (bookingId: number): readonly string[] =>
  [booking, refund, admission, access, dispute].map((aggregate) => streamOf(aggregate, bookingId));
