import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import { dispute } from '#domain/dispute/dispute.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { refund } from '#domain/refund/refund.ts';

const access = { name: 'access' };

export const streamsOf = (bookingId: number): readonly string[] =>
  [booking, refund, admission, access, dispute].map((aggregate) => streamOf(aggregate, bookingId));
