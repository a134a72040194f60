import type { Category } from '#domain/contracts/catalogue.ts';

/**
 * A copy of `defaultCategories` of the contract, whose import would add the schemas of the catalogue to the first page. A spec
 * compares the two.
 */
export const fallbackCategories: readonly Category[] = [
  { id: 1, slug: 'concerts', name: 'Concerts', emoji: '🎵', description: '' },
  { id: 2, slug: 'dining', name: 'Dining', emoji: '🍽️', description: '' },
  { id: 3, slug: 'nightlife', name: 'Nightlife', emoji: '🌙', description: '' },
  { id: 4, slug: 'culture', name: 'Culture & Arts', emoji: '🎭', description: '' },
];
