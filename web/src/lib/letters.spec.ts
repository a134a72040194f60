import { expect, it } from 'vitest';
import { lettersOf } from './letters.ts';

it('access keys give each label a letter of its own', () => {
  expect(lettersOf(['Events', 'Email templates', 'Users', 'QR Scanner'])).toEqual(['e', 'm', 'u', 'q']);
});

it('access keys leave a label without one if others have taken all its letters', () => {
  expect(lettersOf(['Ab', 'Ba', 'Ab'])).toEqual(['a', 'b', '']);
});
