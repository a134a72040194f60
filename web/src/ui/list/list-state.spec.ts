import { expect, test } from 'vitest';
import { paramsOf, queryOf, shownOf } from './list-state.ts';

const shown = (query: string) =>
  shownOf(new URLSearchParams(query), { status: ['open', 'done'] }, ['amount', 'requested']);

test('an address without parameters shows the first page in its usual order', () => {
  expect(shown('')).toEqual({ page: 1, sort: '', search: '', filters: { status: '' } });
});

test('an address has page, order, search and filters, and round-trips', () => {
  const query = 'page=3&sort=amount&search=mahler+2&status=done';
  expect(shown(query)).toEqual({
    page: 3,
    sort: 'amount',
    search: 'mahler 2',
    filters: { status: 'done' },
  });
  expect(String(paramsOf(shown(query), new URLSearchParams()))).toBe(query);
});

test('invalid parameters of an address are ignored', () => {
  const wrong = shown(`page=-1&sort=a;b&status=lost&search=${'x'.repeat(200)}%ED%A0%80`);
  expect(wrong).toMatchObject({ page: 1, sort: '', filters: { status: '' } });
  expect(wrong.search).toHaveLength(100);
  // No column is sorted by it any more, and the call would refuse it.
  for (const gone of ['venue', '-venue', '--amount', '-']) expect(shown(`sort=${gone}`).sort).toBe('');
  expect(shown('sort=-requested').sort).toBe('-requested');
  expect(shown('page=0').page).toBe(1);
  expect(shown('page=1234567').page).toBe(1);
});

test('default values are left out of the address, and other parameters stay', () => {
  const others = new URLSearchParams('tab=refunds&page=7&status=open');
  expect(String(paramsOf(shown(''), others))).toBe('tab=refunds');
});

test('a page is requested by its size and its offset', () => {
  expect(queryOf(shown(''), 10)).toMatchObject({ limit: 10, offset: 0 });
  expect(queryOf(shown('page=3&status=done'), 10)).toMatchObject({ limit: 10, offset: 20, status: 'done' });
});
