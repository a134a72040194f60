import type { CancellationQuote, Cancelled } from '#domain/contracts/bookings.ts';
import { pounds } from '#web/lib/formatters/money.ts';

const FREE = 'It was free, so there is nothing to pay back.';

export const wasFree = (paid: string): boolean => Number(paid) === 0;

export const sayQuote = ({ percent, paid, rescheduled }: CancellationQuote): string => {
  if (wasFree(paid)) return FREE;
  if (percent === 0) return `Nothing of the ${pounds(paid)} you paid: it is too late for that.`;
  const why = rescheduled ? ', because the event was moved' : '';
  return `${percent}% of the ${pounds(paid)} you paid${why}. Refunds reach your card within 5-10 business days.`;
};

export const sayCancelled = ({ refundApproved, refundAmount }: Cancelled, paid: string): string => {
  if (refundApproved) return `${pounds(refundAmount)} goes back to your card within 5-10 business days.`;
  return wasFree(paid) ? FREE : 'Under the refund policy nothing comes back.';
};
