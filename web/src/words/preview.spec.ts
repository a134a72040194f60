import { expect, test } from 'vitest';
import { preview } from './preview.ts';

test('a card shows at most 100 characters, with an ellipsis where more follows', () => {
  expect(preview('A'.repeat(100))).toBe('A'.repeat(100));
  expect(preview('A'.repeat(101))).toBe(`${'A'.repeat(99)}…`);
});

test('a description that is too short to say anything is replaced', () => {
  expect(preview('  Soon.  ')).toBe('Click to view event details...');
  expect(preview('Fifteen letters')).toBe('Fifteen letters');
});
