import { useSearchParams } from 'react-router-dom';
import { HOME_ZONE, toInstant, toWallClock } from '#domain/kernel/zone.ts';
import { textIn } from '#web/lib/text-in.ts';
import type { LogQuery } from './use-log.ts';

export const FILTERS = ['search', 'type', 'stream', 'actor', 'correlation', 'from', 'to'] as const;

export const LONGEST_FILTER = 100;

const isInstant = (value: string): boolean => !Number.isNaN(Date.parse(value)) && value.includes('T');

export const queryOf = (params: URLSearchParams): LogQuery =>
  Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = textIn(params, name, LONGEST_FILTER);
      return value === '' || ((name === 'from' || name === 'to') && !isInstant(value)) ? [] : [[name, value]];
    }),
  );

/** London time; blank if absent. */
export const toField = (instant: string | undefined): string => {
  if (!instant || !isInstant(instant)) return '';
  const { date, time } = toWallClock(new Date(instant).toISOString(), HOME_ZONE);
  return `${date}T${time}`;
};

/** London time. */
export const fromField = (value: string): string => {
  const [date = '', time = ''] = value.split('T');
  return date && time ? toInstant({ date, time: time.slice(0, 5) }, HOME_ZONE) : '';
};

/** Kept in the address, so that reload, Back and shared links work. */
export const useLogQuery = () => {
  const [params, setParams] = useSearchParams();
  const set = (values: Readonly<Record<string, string | undefined>>): void => {
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values))
      if (value) next.set(name, value);
      else next.delete(name);
    setParams(next);
  };
  return {
    query: queryOf(params),
    event: params.get('event') ?? undefined,
    open: (id: string | undefined): void => set({ event: id }),
    narrow: (query: LogQuery): void =>
      set({ ...Object.fromEntries(FILTERS.map((name) => [name, query[name]])), event: undefined }),
  };
};
