import type { Event } from '#domain/contracts/catalogue.ts';

type Aged = Pick<Event, 'minimumAge'>;

/** The minimum age of an event in short: `18+`; undefined if it has none. */
export const ageMark = ({ minimumAge }: Aged): string | undefined =>
  minimumAge ? `${minimumAge}+` : undefined;

/** The minimum age of an event in words: `Ages 18 and over`; undefined if it has none. */
export const ageRule = ({ minimumAge }: Aged): string | undefined =>
  minimumAge ? `Ages ${minimumAge} and over` : undefined;
