import type { MonthComparison } from '#domain/contracts/admin-overview.ts';
import { fromDecimal, toDecimal } from '#domain/kernel/money.ts';
import { count } from '#web/lib/formatters/count.ts';
import { pounds } from '#web/lib/formatters/money.ts';

export interface Compared {
  readonly direction: 'up' | 'down' | 'level';
  readonly words: string;
}

const written = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const dayAndMonth = written({ day: 'numeric', month: 'short' });
const month = written({ month: 'long' });

export const stretchBefore = ({ by, whole }: Pick<MonthComparison, 'by' | 'whole'>): string => {
  const date = new Date(by);
  return whole ? `in ${month.format(date)}` : `by ${dayAndMonth.format(date).replace(' ', '\u00a0')}`;
};

const compare = (
  difference: number,
  size: string,
  [more, less, same]: readonly string[],
  then: string,
): Compared => {
  if (difference === 0) return { direction: 'level', words: `${same} ${then}` };
  return difference > 0
    ? { direction: 'up', words: `${size} ${more} than ${then}` }
    : { direction: 'down', words: `${size} ${less} than ${then}` };
};

export const compareCounts = (
  { now, before }: { readonly now: number; readonly before: number | null },
  then: string,
): Compared | undefined => {
  if (before === null) return undefined;
  const size = count(Math.abs(now - before));
  return compare(now - before, size, ['more', 'fewer', 'as many as'], then);
};

/** Amounts are decimals in pounds; undefined if there is nothing to compare with. */
export const compareMoney = (
  { now, before }: { readonly now: string; readonly before: string | null },
  then: string,
): Compared | undefined => {
  if (before === null) return undefined;
  const difference = (fromDecimal(now) ?? 0) - (fromDecimal(before) ?? 0);
  const size = pounds(toDecimal(Math.abs(difference)));
  return compare(difference, size, ['more', 'less', 'as much as'], then);
};
