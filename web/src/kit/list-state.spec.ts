import { expect, test } from 'vitest';
import { paramsOf, shownOf } from './list-state.ts';

const options = { sort: '-date', filters: { status: ['open', 'done'] } } as const;
const shown = (query: string) => shownOf(new URLSearchParams(query), options);

test('an address without words shows the first page, in the list’s own order', () => {
  expect(shown('')).toEqual({ page: 1, sort: '-date', search: '', filters: { status: '' } });
});

test('an address says page, order, search and filters, and survives the way there and back', () => {
  const query = 'page=3&sort=amount&search=mahler+2&status=done';
  expect(shown(query)).toEqual({
    page: 3,
    sort: 'amount',
    search: 'mahler 2',
    filters: { status: 'done' },
  });
  expect(String(paramsOf(shown(query), new URLSearchParams(), options))).toBe(query);
});

test('what an address asks wrongly is as if it had not', () => {
  const wrong = shown(`page=-1&sort=a;b&status=lost&search=${'x'.repeat(200)}%ED%A0%80`);
  expect(wrong).toMatchObject({ page: 1, sort: '-date', filters: { status: '' } });
  expect(wrong.search).toHaveLength(100);
  expect(shown('page=0').page).toBe(1);
  expect(shown('page=1234567').page).toBe(1);
});

test('what is as by default is left out, and what others have in the address stays', () => {
  const others = new URLSearchParams('tab=refunds&page=7&status=open');
  expect(String(paramsOf(shown(''), others, options))).toBe('tab=refunds');
});
