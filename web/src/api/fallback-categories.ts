import type { Category } from '#domain/contracts/catalogue.ts';

/**
 * `defaultCategories` of the contract, which would bring the schemas of the whole catalogue into the first page. A spec holds
 * the two together.
 */
export const fallbackCategories: readonly Category[] = [
  { id: 1, slug: 'concerts', name: 'Concerts', emoji: '🎵', description: '' },
  { id: 2, slug: 'dining', name: 'Dining', emoji: '🍽️', description: '' },
  { id: 3, slug: 'nightlife', name: 'Nightlife', emoji: '🌙', description: '' },
  { id: 4, slug: 'culture', name: 'Culture & Arts', emoji: '🎭', description: '' },
];
