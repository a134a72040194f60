import { useSearchParams } from 'react-router-dom';

/** What a list shows, as its address says it. Blank is not set. */
export interface Shown {
  /** Counted from 1. */
  readonly page: number;
  /** A column's name, with `-` before it where the last comes first. */
  readonly sort: string;
  readonly search: string;
  /** The chosen value of each filter, by its name. */
  readonly filters: Readonly<Record<string, string>>;
}

/** What a list can be narrowed to: each filter's values. Others in an address are as if they weren't there. */
type Choices = Readonly<Record<string, readonly string[]>>;

/** The longest search that the calls take; a longer one in an address is cut. */
export const LONGEST_SEARCH = 100;

/** What an address asks for; what it asks wrongly is as if it had not. */
export const shownOf = (params: URLSearchParams, choices: Choices): Shown => {
  const page = params.get('page') ?? '';
  const sorted = params.get('sort') ?? '';
  const chosen = Object.entries(choices).map(([name, values]) => {
    const value = params.get(name) ?? '';
    return [name, values.includes(value) ? value : ''];
  });
  return {
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    sort: /^-?[a-z]+$/i.test(sorted) ? sorted : '',
    search: (params.get('search') ?? '').trim().slice(0, LONGEST_SEARCH).toWellFormed(),
    filters: Object.fromEntries(chosen),
  };
};

/** The address's query that says it, beside what others have put there; what is as by default is left out. */
export const paramsOf = (
  { page, sort, search, filters }: Shown,
  others: URLSearchParams,
): URLSearchParams => {
  const params = new URLSearchParams(others);
  const set = (name: string, value: string, blank = '') =>
    value === blank ? params.delete(name) : params.set(name, value);
  set('page', String(page), '1');
  set('sort', sort);
  set('search', search);
  for (const [name, value] of Object.entries(filters)) set(name, value);
  return params;
};

/**
 * What a list shows: page, order, search and filters. They live in the address, so that reload, Back and a shared link work.
 * A change of what is listed goes back to the first page.
 */
export const useListState = (perPage: number, choices: Choices) => {
  const [params, setParams] = useSearchParams();
  const shown = shownOf(params, choices);
  // Each letter of a search would be a step of its own on the way back.
  const change = (next: Partial<Shown>, replace = next.search !== undefined): void => {
    // What was chosen a moment ago is in the address before it is on the page.
    const now = new URLSearchParams(window.location.search);
    setParams(paramsOf({ ...shownOf(now, choices), page: 1, ...next }, now), { replace });
  };
  return {
    ...shown,
    /** Whether anything narrows the list; the order doesn't. */
    isNarrowed: shown.search !== '' || Object.values(shown.filters).some(Boolean),
    change,
    /** Shows everything again. */
    clear: () => {
      const none = Object.keys(shown.filters).map((name) => [name, '']);
      change({ search: '', filters: Object.fromEntries(none) }, false);
    },
    /** What the list's call is asked. */
    query: { page: shown.page, limit: perPage, sort: shown.sort, search: shown.search, ...shown.filters },
  };
};
export type ListState = ReturnType<typeof useListState>;
