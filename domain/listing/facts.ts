import { daysAfter, type WallClock } from '#domain/kernel/zone.ts';

/** What people may be told of a listing beside what every listing has. */
export const FACTS = ['doors', 'end', 'access', 'organiser'] as const;

/** `doors` and `end` are `HH:mm` at the venue; `access` says who gets in how, without steps for instance. Null: nothing is said. */
export type ListingFacts = Readonly<Record<(typeof FACTS)[number], string | null>>;

type Given = Readonly<Partial<Record<keyof ListingFacts, string | null | undefined>>>;

/** All facts in their order. What is not given stays as it was before; blank ones are null. */
export const factsOf = (given: Given = {}, before: Given = {}): ListingFacts => {
  const fact = (name: keyof ListingFacts): string | null =>
    (given[name] === undefined ? before[name] : given[name]) || null;
  return { doors: fact('doors'), end: fact('end'), access: fact('access'), organiser: fact('organiser') };
};

/** Minutes from a time by the clock to the next time that it shows another. */
const minutesUntil = (from: string, to: string): number => {
  const [minutesFrom = 0, minutesTo = 0] = [from, to].map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * 60 + minutes;
  });
  return (minutesTo - minutesFrom + 24 * 60) % (24 * 60);
};

/**
 * The times of a listing that nobody can mean: the problem by its field. Doors may open before midnight for a start after it, and an
 * end that is before the start by the clock is one after midnight.
 */
export const slipsOf = ({
  doors,
  end,
  start,
}: Pick<ListingFacts, 'doors' | 'end'> & { readonly start: string }): Readonly<Record<string, string>> => ({
  ...(doors && doors > start && minutesUntil(doors, start) > 12 * 60
    ? { doors: 'The doors must open before the start' }
    : {}),
  ...(end === start ? { end: 'The end must differ from the start' } : {}),
});

/** When doors open and when it ends, with the days on which that is (see `slipsOf`). */
export const timesOf = ({
  date,
  time,
  doors,
  end,
}: WallClock & Pick<ListingFacts, 'doors' | 'end'>): {
  readonly doors?: WallClock;
  readonly end?: WallClock;
} => ({
  ...(doors ? { doors: { date: doors > time ? daysAfter(date, -1) : date, time: doors } } : {}),
  ...(end ? { end: { date: end > time ? date : daysAfter(date, 1), time: end } } : {}),
});
