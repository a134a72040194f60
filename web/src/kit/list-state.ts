import { useSearchParams } from 'react-router-dom';

/** The values that each filter may have, by its name. */
type Choices = Readonly<Record<string, readonly string[]>>;

/** What a list shows, as its address says it. Blank is not set. */
export interface Shown<Filters extends Choices> {
  /** Counted from 1. */
  readonly page: number;
  /** A column's name, with `-` before it where the last comes first. */
  readonly sort: string;
  readonly search: string;
  readonly filters: { readonly [Name in keyof Filters]: Filters[Name][number] | '' };
}

/** How a list is shown where the address says nothing. */
export interface ListOptions<Filters extends Choices> {
  readonly sort?: string;
  /** What the list can be narrowed to. Other values in an address are as if they weren't there. */
  readonly filters?: Filters;
}

/** The longest search that the calls take; a longer one in an address is cut. */
export const LONGEST_SEARCH = 100;
const LARGEST_PAGE = 1_000_000;

/** What an address asks for; what it asks wrongly is as if it had not. */
export const shownOf = <Filters extends Choices>(
  params: URLSearchParams,
  { sort = '', filters }: ListOptions<Filters>,
): Shown<Filters> => {
  const page = params.get('page') ?? '';
  const sorted = params.get('sort') ?? '';
  const chosen = Object.entries(filters ?? {}).map(([name, values]) => {
    const value = params.get(name);
    return [name, values.find((known) => known === value) ?? ''];
  });
  return {
    page: /^\d{1,7}$/.test(page) ? Math.min(Math.max(1, Number(page)), LARGEST_PAGE) : 1,
    sort: /^-?[a-z]+$/i.test(sorted) ? sorted : sort,
    search: (params.get('search') ?? '').trim().slice(0, LONGEST_SEARCH).toWellFormed(),
    filters: Object.fromEntries(chosen),
  };
};

/** The address's query that says it, beside what others have put there; what is as by default is left out. */
export const paramsOf = <Filters extends Choices>(
  { page, sort, search, filters }: Shown<Filters>,
  others: URLSearchParams,
  options: ListOptions<Filters>,
): URLSearchParams => {
  const params = new URLSearchParams(others);
  const set = (name: string, value: string, blank = '') =>
    value === blank ? params.delete(name) : params.set(name, value);
  set('page', String(page), '1');
  set('sort', sort, options.sort);
  set('search', search);
  for (const [name, value] of Object.entries(filters)) set(name, value);
  return params;
};

/**
 * What a list shows: page, order, search and filters. They live in the address, so that reload, Back and a shared link work.
 * A change of what is listed goes back to the first page.
 */
export const useListState = <const Filters extends Choices = Record<never, never>>(
  perPage: number,
  options: ListOptions<Filters> = {},
) => {
  const [params, setParams] = useSearchParams();
  const shown = shownOf(params, options);
  // Each letter of a search would be a step of its own on the way back.
  const change = (next: Partial<Shown<Filters>>, replace = next.search !== undefined): void => {
    // What was chosen a moment ago is in the address before it is on the page.
    const now = new URLSearchParams(window.location.search);
    const changed = { ...shownOf(now, options), page: 1, ...next };
    setParams(paramsOf(changed, now, options), { replace });
  };
  return {
    ...shown,
    perPage,
    /** Whether anything narrows the list; the order doesn't. */
    isNarrowed: shown.search !== '' || Object.values(shown.filters).some(Boolean),
    change,
    /** Shows everything again. */
    clear: () => {
      const none = Object.keys(shown.filters).map((name) => [name, '']);
      change({ search: '', filters: Object.fromEntries(none) });
    },
    /** What the list's call is asked. */
    query: {
      page: shown.page,
      limit: perPage,
      sort: shown.sort || undefined,
      search: shown.search || undefined,
      ...shown.filters,
    },
  };
};
export type ListState<Filters extends Choices> = ReturnType<typeof useListState<Filters>>;
