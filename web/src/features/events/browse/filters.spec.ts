import { expect, test } from 'vitest';
import { SORTS as agreed } from '#domain/contracts/catalogue.ts';
import { LONGEST as agreedLengths } from '#domain/contracts/fields.ts';
import {
  countLine,
  filtersOf,
  isFiltered,
  LONGEST,
  nearLine,
  paramsOf,
  SORTS,
  withCategory,
  withCity,
} from './filters.ts';

test('filters are written to the address and read from it', () => {
  const query = 'category=concerts&city=London&search=late+jazz&featured=true&sort=price-low';
  expect(paramsOf(filtersOf(new URLSearchParams(query))).toString()).toBe(query);
});

test('invalid values in an address filter nothing', () => {
  const filters = filtersOf(new URLSearchParams('category=+&sort=cheap&featured=yes&search=++'));
  expect(isFiltered(filters)).toBe(false);
  expect(paramsOf(filters).toString()).toBe('');
});

test('a typed city gets its usual spelling', () => {
  const typed = filtersOf(new URLSearchParams('city=leeds'));
  expect(withCity(typed, [{ name: 'London' }, { name: 'Leeds' }]).city).toBe('Leeds');
  expect(withCity(typed, []).city).toBe('leeds');
});

test('a category can be given by its name', () => {
  const arts = [{ slug: 'culture', name: 'Culture & Arts' }];
  const typed = (category: string) =>
    withCategory(filtersOf(new URLSearchParams({ category })), arts).category;
  expect(['culture & arts', 'Culture & Arts', 'culture', 'dining'].map(typed)).toEqual([
    'culture',
    'culture',
    'culture',
    'dining',
  ]);
});

test('the result count names the active filters', () => {
  const none = filtersOf(new URLSearchParams());
  expect(countLine(1, none, '')).toBe('1 event found');
  const all = filtersOf(new URLSearchParams('category=concerts&city=London&search=jazz'));
  expect(countLine(12, all, 'Concerts')).toBe('12 events found in Concerts in London for "jazz"');
});

test('the result count of a similar spelling names it', () => {
  expect(nearLine(1)).toBe('Here is what is spelt nearly so: 1 event');
  expect(nearLine(8)).toBe('Here is what is spelt nearly so: 8 events');
});

test('a search can be as long as in the contract', () => {
  expect([agreedLengths.search, agreedLengths.name]).toEqual([LONGEST, LONGEST]);
  expect(filtersOf(new URLSearchParams({ search: 'jazz '.repeat(50) })).search).toHaveLength(LONGEST);
});

test('a cut search ends between two characters', () => {
  const search = 'x'.repeat(LONGEST - 1);
  expect(filtersOf(new URLSearchParams({ search: `${search}🎸` })).search).toBe(search);
});

test('the sort orders are those of the contract', () => {
  expect(SORTS).toEqual(agreed);
});
