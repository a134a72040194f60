import { type Fields, type SomeOf, type ValuesOf, valuesOf } from '#domain/kernel/fields.ts';
import { daysAfter, type WallClock } from '#domain/kernel/zone.ts';

export const extras = {
  doors: { kind: 'clock', label: 'Doors open' },
  end: { kind: 'clock', label: 'Ends' },
  lastEntry: { kind: 'clock', label: 'Last entry', exported: true },
  minimumAge: {
    kind: 'whole',
    label: 'Minimum age',
    most: 21,
    exported: true,
    hint: 'In years, on the day of the event.',
  },
  organiser: { kind: 'text', label: 'Organiser', most: 100 },
  access: {
    kind: 'text',
    label: 'Access',
    most: 1_000,
    lines: true,
    hint: 'Steps, lifts, seats, hearing loops, companions.',
  },
} as const satisfies Fields;

export type ListingExtras = ValuesOf<typeof extras>;
export type SomeExtras = SomeOf<typeof extras>;

/** Omitted extras stay. */
export const extrasOf = (given?: SomeExtras, before?: SomeExtras): ListingExtras =>
  valuesOf(extras, given, before);

type Clock = {
  [Name in keyof ListingExtras]: (typeof extras)[Name]['kind'] extends 'clock' ? Name : never;
}[keyof ListingExtras];
export type ListingTimes = Pick<ListingExtras, Clock>;

export const timesIn = (given: ListingExtras): ListingTimes =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => extras[name as keyof ListingExtras].kind === 'clock'),
  ) as ListingTimes;

const HOUR = 60;
const DAY = 24 * HOUR;

const minutesUntil = (from: string, to: string): number => {
  const [minutesFrom = 0, minutesTo = 0] = [from, to].map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * HOUR + minutes;
  });
  return (minutesTo - minutesFrom + DAY) % DAY;
};

type Times = ListingTimes & { readonly start: string };

/**
 * May be before the start (no latecomers) or after midnight. After the end, it may also mean before the
 * doors: the nearer one decides the message.
 */
const lastEntrySlip = ({ doors, end, lastEntry, start }: Times): string | undefined => {
  if (!lastEntry) return undefined;
  const opens = doors ?? start;
  // Without an end, assume longer than most events last.
  const open = minutesUntil(opens, start) + (end ? minutesUntil(start, end) : 16 * HOUR);
  const after = minutesUntil(opens, lastEntry) || DAY;
  if (after <= open) return undefined;
  if (end && after - open <= DAY - after) return 'The last entry must not be after the end';
  return doors ? 'The last entry must be after the doors open' : undefined;
};

/** Doors may open before midnight for a start after it. An end before the start is after midnight. */
export const slipsOf = (times: Times): Readonly<Record<string, string>> => {
  const { doors, end, start } = times;
  const lastEntry = lastEntrySlip(times);
  return {
    ...(doors && doors > start && minutesUntil(doors, start) > 12 * HOUR
      ? { doors: 'The doors must open before the start' }
      : {}),
    ...(end === start ? { end: 'The end must differ from the start' } : {}),
    ...(lastEntry ? { lastEntry } : {}),
  };
};

export const timesOf = ({
  date,
  time,
  doors,
  end,
}: WallClock & Pick<ListingExtras, 'doors' | 'end'>): {
  readonly doors?: WallClock;
  readonly end?: WallClock;
} => ({
  ...(doors ? { doors: { date: doors > time ? daysAfter(date, -1) : date, time: doors } } : {}),
  ...(end ? { end: { date: end > time ? date : daysAfter(date, 1), time: end } } : {}),
});
