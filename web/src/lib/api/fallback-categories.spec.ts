import { expect, test } from 'vitest';
import { defaultCategories } from '#domain/contracts/catalogue.ts';
import { fallbackCategories } from './fallback-categories.ts';

test('the client falls back to the categories that the contract names', () => {
  expect(fallbackCategories).toEqual(defaultCategories);
});
