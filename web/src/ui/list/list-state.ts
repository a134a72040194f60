import { useSearchParams } from 'react-router-dom';
import { textIn } from '#web/lib/text-in.ts';

export interface Shown {
  readonly page: number;
  /** A column's `sort` name, prefixed with `-` for descending. */
  readonly sort: string;
  readonly search: string;
  readonly filters: Readonly<Record<string, string>>;
}

type Choices = Readonly<Record<string, readonly string[]>>;

/** Limit of the calls; longer searches in an address are cut. */
export const LONGEST_SEARCH = 100;

/** Invalid values are ignored. */
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

export const queryOf = ({ page, sort, search, filters }: Shown, perPage: number) => ({
  ...{ limit: perPage, offset: (page - 1) * perPage, sort, search },
  ...filters,
});

/** Kept in the address, so that reload, Back and shared links work. Any other change returns to page 1. */
export const useListState = (perPage: number, choices: Choices, sorts: readonly string[]) => {
  const [params, setParams] = useSearchParams();
  const shown = shownOf(params, choices, sorts);
  // A search replaces the history entry; otherwise each pause in typing would add one.
  const change = (next: Partial<Shown>, replace = next.search !== undefined): void => {
    // Read the address again: it may have changed since the last render.
    const now = new URLSearchParams(window.location.search);
    const before = shownOf(now, choices, sorts);
    const filters = { ...before.filters, ...next.filters };
    setParams(paramsOf({ ...before, page: 1, ...next, filters }, now), { replace });
  };
  return {
    ...shown,
    isNarrowed: shown.search !== '' || Object.values(shown.filters).some(Boolean),
    change,
    clear: () => {
      const none = Object.keys(shown.filters).map((name) => [name, '']);
      change({ search: '', filters: Object.fromEntries(none) }, false);
    },
    query: queryOf(shown, perPage),
  };
};
export type ListState = ReturnType<typeof useListState>;
