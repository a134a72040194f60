import type { Sort } from '#domain/contracts/catalogue.ts';
import { textIn } from '#web/lib/text-in.ts';

/** Copy of the contract's orders, whose import would add schemas to the page; a spec compares them. */
export const SORTS = ['date', 'price-low', 'price-high'] as const satisfies readonly Sort[];

/** Contract's limit for search, city and category; longer values in an address are cut. */
export const LONGEST = 100;

export interface Filters {
  readonly category: string;
  readonly city: string;
  readonly search: string;
  readonly featured: boolean;
  readonly sort: Sort;
}

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

/** Normalises the spelling of a city in a typed address. */
export const withCity = (filters: Filters, cities: readonly { readonly name: string }[]): Filters => {
  const typed = filters.city.toLowerCase();
  const known = cities.find(({ name }) => name.toLowerCase() === typed);
  return known ? { ...filters, city: known.name } : filters;
};

/** Accepts a category's name as well as its slug: in the specification the value is the lower-case name. */
export const withCategory = (
  filters: Filters,
  categories: readonly { readonly slug: string; readonly name: string }[],
): Filters => {
  const named = categories.find(({ name }) => name.toLowerCase() === filters.category);
  return named ? { ...filters, category: named.slug } : filters;
};

export const paramsOf = ({ category, city, search, featured, sort }: Filters): URLSearchParams => {
  const params = new URLSearchParams();
  if (category) params.set('category', category);
  if (city) params.set('city', city);
  if (search) params.set('search', search);
  if (featured) params.set('featured', 'true');
  if (sort !== 'date') params.set('sort', sort);
  return params;
};

/** The order does not count as a filter. */
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

export const nearLine = (count: number): string =>
  `Here is what is spelt nearly so: ${count} event${count === 1 ? '' : 's'}`;
