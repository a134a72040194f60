import { expect, it } from 'vitest';
import { lettersOf } from './letters.ts';

it('gives each label a letter of its own', () => {
  expect(lettersOf(['Events', 'Email templates', 'Users', 'QR Scanner'])).toEqual(['e', 'm', 'u', 'q']);
});

it('leaves a label without one where others have taken them all', () => {
  expect(lettersOf(['Ab', 'Ba', 'Ab'])).toEqual(['a', 'b', '']);
});
