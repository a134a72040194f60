import type { Category } from '#domain/contracts/catalogue.ts';

/** Copy of the contract's `defaultCategories`, whose import would add schemas to the first page; a spec compares them. */
export const fallbackCategories: readonly Category[] = [
  { id: 1, slug: 'concerts', name: 'Concerts', emoji: '🎵', description: '' },
  { id: 2, slug: 'dining', name: 'Dining', emoji: '🍽️', description: '' },
  { id: 3, slug: 'nightlife', name: 'Nightlife', emoji: '🌙', description: '' },
  { id: 4, slug: 'culture', name: 'Culture & Arts', emoji: '🎭', description: '' },
];
