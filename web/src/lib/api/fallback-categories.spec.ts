import { expect, test } from 'vitest';
import { defaultCategories } from '#domain/contracts/catalogue.ts';
import { fallbackCategories } from './fallback-categories.ts';

test('the client falls back to the contract’s categories', () => {
  expect(fallbackCategories).toEqual(defaultCategories);
});
