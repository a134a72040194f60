import { expect, test } from 'vitest';
import { preview } from './preview.ts';

test('a card shows at most 100 characters, with an ellipsis if there is more', () => {
  expect(preview('A'.repeat(100))).toBe('A'.repeat(100));
  expect(preview('A'.repeat(101))).toBe(`${'A'.repeat(99)}…`);
});

test('a character is never cut in two', () => {
  expect(preview('🎷'.repeat(100))).toBe('🎷'.repeat(100));
  expect(preview(`A${'🎷'.repeat(100)}`)).toBe(`A${'🎷'.repeat(98)}…`);
});

test('a description of fewer than 15 characters is replaced', () => {
  expect(preview('  Soon.  ')).toBe('Click to view event details...');
  expect(preview('Fifteen letters')).toBe('Fifteen letters');
});
