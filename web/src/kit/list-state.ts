import { useSearchParams } from 'react-router-dom';
import { textIn } from './text-in.ts';

/** What a list shows, as the page's address says. An empty string means not set. */
export interface Shown {
  /** Counted from 1. */
  readonly page: number;
  /** A column's `sort` name, with `-` before it for descending. */
  readonly sort: string;
  readonly search: string;
  /** The chosen value of each filter, by the filter's name. */
  readonly filters: Readonly<Record<string, string>>;
}

/** The values that each filter can have. Other values in an address are ignored. */
type Choices = Readonly<Record<string, readonly string[]>>;

/** The longest search that the calls take. A longer one in an address is cut. */
export const LONGEST_SEARCH = 100;

/** Reads an address. Wrong values are ignored. `sorts` are the names that its columns are sorted by. */
export const shownOf = (params: URLSearchParams, choices: Choices, sorts: readonly string[]): Shown => {
  const page = params.get('page') ?? '';
  const sorted = params.get('sort') ?? '';
  const chosen = Object.entries(choices).map(([name, values]) => {
    const value = params.get(name) ?? '';
    return [name, values.includes(value) ? value : ''];
  });
  return {
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    sort: sorts.includes(sorted.replace(/^-/, '')) ? sorted : '',
    search: textIn(params, 'search', LONGEST_SEARCH),
    filters: Object.fromEntries(chosen),
  };
};

/** Writes it into an address's query, next to what else stands there. Defaults are left out. */
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

/** The query of a list's call: its page by size and offset, as the specification has it. */
export const queryOf = ({ page, sort, search, filters }: Shown, perPage: number) => ({
  ...{ limit: perPage, offset: (page - 1) * perPage, sort, search },
  ...filters,
});

/**
 * Keeps a list's page, order, search and filters in the address, so that reload, Back and a shared link work.
 * Any change but that of the page goes back to page 1.
 */
export const useListState = (perPage: number, choices: Choices, sorts: readonly string[]) => {
  const [params, setParams] = useSearchParams();
  const shown = shownOf(params, choices, sorts);
  // A search replaces the address: with one entry per pause in typing, Back would be of little use.
  const change = (next: Partial<Shown>, replace = next.search !== undefined): void => {
    // The address is read anew, because it may have changed since the last render.
    const now = new URLSearchParams(window.location.search);
    const before = shownOf(now, choices, sorts);
    const filters = { ...before.filters, ...next.filters };
    setParams(paramsOf({ ...before, page: 1, ...next, filters }, now), { replace });
  };
  return {
    ...shown,
    /** Whether a search or a filter is set. */
    isNarrowed: shown.search !== '' || Object.values(shown.filters).some(Boolean),
    change,
    /** Removes search and filters. */
    clear: () => {
      const none = Object.keys(shown.filters).map((name) => [name, '']);
      change({ search: '', filters: Object.fromEntries(none) }, false);
    },
    /** The query of the list's call. */
    query: queryOf(shown, perPage),
  };
};
/** What a list shows, and what changes it. */
export type ListState = ReturnType<typeof useListState>;
