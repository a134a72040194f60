import type { Sort } from '#domain/contracts/catalogue.ts';

/** The contract's orders. Named again here, since the contract would bring its schemas into the page; a spec holds the two together. */
export const SORTS = ['date', 'price-low', 'price-high'] as const satisfies readonly Sort[];

/** The longest that the contract takes of a search, a city or a category; a longer one in an address is cut. */
export const LONGEST = 100;

/** What the list shows, as its address says it. Blank is not set. */
export interface Filters {
  readonly category: string;
  readonly city: string;
  readonly search: string;
  readonly featured: boolean;
  readonly sort: Sort;
}

/** What an address asks for; what it asks wrongly is as if it had not. */
export const filtersOf = (params: URLSearchParams): Filters => {
  const textOf = (name: string) => (params.get(name) ?? '').trim().slice(0, LONGEST).toWellFormed();
  const sort = params.get('sort');
  return {
    category: textOf('category').toLowerCase(),
    city: textOf('city'),
    search: textOf('search'),
    featured: params.get('featured') === 'true',
    sort: SORTS.find((known) => known === sort) ?? 'date',
  };
};

/** With the city's name as it is written, since an address may be typed. */
export const withCity = (filters: Filters, cities: readonly { readonly name: string }[]): Filters => {
  const typed = filters.city.toLowerCase();
  const known = cities.find(({ name }) => name.toLowerCase() === typed);
  return known ? { ...filters, city: known.name } : filters;
};

/** The address's query that says it; what is as by default is left out. */
export const paramsOf = ({ category, city, search, featured, sort }: Filters): URLSearchParams => {
  const params = new URLSearchParams();
  if (category) params.set('category', category);
  if (city) params.set('city', city);
  if (search) params.set('search', search);
  if (featured) params.set('featured', 'true');
  if (sort !== 'date') params.set('sort', sort);
  return params;
};

/** Whether anything narrows the list; the order doesn't. */
export const isFiltered = (filters: Filters): boolean =>
  !!(filters.category || filters.city || filters.search || filters.featured);

/** `12 event(s) found in Concerts in London for "jazz"`, with the parts that are set. */
export const countLine = (count: number, filters: Filters, categoryName: string): string =>
  [
    `${count} event${count === 1 ? '' : 's'} found`,
    filters.category && `in ${categoryName}`,
    filters.city && `in ${filters.city}`,
    filters.search && `for "${filters.search}"`,
  ]
    .filter(Boolean)
    .join(' ');
