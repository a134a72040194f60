import { expect, it } from 'vitest';
import { changedBetween, overwritten, revisionOf } from './revision.ts';

const shown = { title: 'Night Ferry', price: '12.00', tags: ['jazz'], age: null };
const revision = revisionOf(shown);

it('a revision is equal for equal fields, and a comparison names the fields that differ', () => {
  expect(revisionOf({ ...shown, tags: ['jazz'] })).toBe(revision);
  expect(revisionOf({ ...shown, age: undefined })).toBe(revision);
  expect(changedBetween(revision, revisionOf({ ...shown, price: '13.00', tags: [] }))).toEqual([
    'price',
    'tags',
  ]);
});

it('a comparison of revisions names the fields that a change would overwrite', () => {
  const theirs = { ...shown, title: 'Day Ferry' };
  expect(overwritten(revision, theirs, { ...shown, price: '13.00' })).toEqual(['title']);
  // Another field, the same change, and a form that shows the present fields.
  expect(overwritten(revision, theirs, { ...theirs, price: '13.00' })).toEqual([]);
  expect(overwritten(revision, theirs, theirs)).toEqual([]);
  expect(overwritten(revisionOf(theirs), theirs, shown)).toEqual([]);
});

it('a comparison of revisions reports a removed field, and ignores one that the form did not show', () => {
  expect(overwritten(revision, { title: 'Night Ferry' }, shown)).toEqual(['price', 'tags']);
  expect(overwritten(revision, { ...shown, sold: 3 }, { ...shown, sold: 4 })).toEqual([]);
});
