import { expect, test } from 'vitest';
import { SORTS as agreed } from '#domain/contracts/catalogue.ts';
import { countLine, filtersOf, isFiltered, paramsOf, SORTS } from './filters.ts';

test('an address and its filters say the same', () => {
  const query = 'category=concerts&city=London&search=late+jazz&featured=true&sort=price-low';
  expect(paramsOf(filtersOf(new URLSearchParams(query))).toString()).toBe(query);
});

test('an address that makes no sense filters nothing', () => {
  const filters = filtersOf(new URLSearchParams('category=+&sort=cheap&featured=yes&search=++'));
  expect(isFiltered(filters)).toBe(false);
  expect(paramsOf(filters).toString()).toBe('');
});

test('the count line has the parts that are set', () => {
  const none = filtersOf(new URLSearchParams());
  expect(countLine(1, none, '')).toBe('1 event found');
  const all = filtersOf(new URLSearchParams('category=concerts&city=London&search=jazz'));
  expect(countLine(12, all, 'Concerts')).toBe('12 events found in Concerts in London for "jazz"');
});

test('the orders are those of the contract', () => {
  expect(SORTS).toEqual(agreed);
});
