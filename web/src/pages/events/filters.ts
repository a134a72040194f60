import type { Sort } from '#domain/contracts/catalogue.ts';
import { textIn } from '../../kit/text-in.ts';

/** The orders of the contract. They are repeated here because importing the contract would add its schemas to the page's script; a spec compares the two. */
export const SORTS = ['date', 'price-low', 'price-high'] as const satisfies readonly Sort[];

/** How long a search, a city or a category may be in the contract. Longer ones in an address are cut. */
export const LONGEST = 100;

/** The filters of the list, as they are in the address. An empty text means no filter. */
export interface Filters {
  readonly category: string;
  readonly city: string;
  readonly search: string;
  readonly featured: boolean;
  readonly sort: Sort;
}

/** The filters in an address. Wrong values are ignored. */
export const filtersOf = (params: URLSearchParams): Filters => {
  const textOf = (name: string) => textIn(params, name, LONGEST);
  const sort = params.get('sort');
  return {
    category: textOf('category').toLowerCase(),
    city: textOf('city'),
    search: textOf('search'),
    featured: params.get('featured') === 'true',
    sort: SORTS.find((known) => known === sort) ?? 'date',
  };
};

/** The filters with the city's name in its usual spelling: somebody may have typed the address. */
export const withCity = (filters: Filters, cities: readonly { readonly name: string }[]): Filters => {
  const typed = filters.city.toLowerCase();
  const known = cities.find(({ name }) => name.toLowerCase() === typed);
  return known ? { ...filters, city: known.name } : filters;
};

/** The filters with the category's slug, where the address has its name: the specification's value of a category is its lowercase name. */
export const withCategory = (
  filters: Filters,
  categories: readonly { readonly slug: string; readonly name: string }[],
): Filters => {
  const named = categories.find(({ name }) => name.toLowerCase() === filters.category);
  return named ? { ...filters, category: named.slug } : filters;
};

/** The filters as a query for the address, without those that have their default. */
export const paramsOf = ({ category, city, search, featured, sort }: Filters): URLSearchParams => {
  const params = new URLSearchParams();
  if (category) params.set('category', category);
  if (city) params.set('city', city);
  if (search) params.set('search', search);
  if (featured) params.set('featured', 'true');
  if (sort !== 'date') params.set('sort', sort);
  return params;
};

/** Whether a filter is set. The order is none. */
export const isFiltered = (filters: Filters): boolean =>
  !!(filters.category || filters.city || filters.search || filters.featured);

/** `12 events found in Concerts in London for "jazz"`, with the filters that are set. */
export const countLine = (count: number, filters: Filters, categoryName: string): string =>
  [
    `${count} event${count === 1 ? '' : 's'} found`,
    filters.category && `in ${categoryName}`,
    filters.city && `in ${filters.city}`,
    filters.search && `for "${filters.search}"`,
  ]
    .filter(Boolean)
    .join(' ');

/** `Here is what is spelt nearly so: 2 events`, below the line that says that nothing is spelt so. */
export const nearLine = (count: number): string =>
  `Here is what is spelt nearly so: ${count} event${count === 1 ? '' : 's'}`;
