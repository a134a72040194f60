import { expect, test } from 'vitest';
import { firstLetter } from './first-letter.ts';

test('a name’s initial is a capital, and never half a character', () => {
  expect(firstLetter('ann')).toBe('A');
  expect(firstLetter('𠮷野')).toBe('𠮷');
  expect(firstLetter('🎷')).toBe('🎷');
  expect(firstLetter('')).toBe('');
});
