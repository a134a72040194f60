import { expect, test } from 'vitest';
import { scannerKeys, type Typist } from './scanner-keys.ts';

/** Keys, and how long after the one before each of them is pressed. */
const press = (
  keys: readonly string[],
  gap: number,
  tell = scannerKeys<number>(),
  from = 0,
): readonly Typist<number>[] => keys.map((key, index) => tell(key, from + index * gap, index));

const CODE = [...'HTTPS://T/T/12'];

test.each(['Enter', 'Tab'])('very fast keys followed by %s are a code', (end) => {
  const told = press([...CODE, end], 5);
  expect(told.at(-1)).toEqual({ text: CODE.join(''), began: 0, place: 0 });
  // Before the first key that is a shortcut.
  expect(told.slice(2, -1)).toEqual(Array(CODE.length - 2).fill('scanner'));
});

test('keys that write nothing are not part of a code and do not end it', () => {
  const told = press(['Shift', 'a', 'Shift', 'B', 'CapsLock', 'c', 'Enter'], 5);
  expect(told.at(-1)).toEqual({ text: 'aBc', began: 5, place: 1 });
});

test('fast typing by a person is not a code', () => {
  for (const keys of [
    [...'the harbour', 'Enter'],
    ['Tab', 'Tab', 'Tab', 'Enter', ' ', 'Enter'],
  ])
    expect(new Set(press(keys, 60))).toEqual(new Set(['person']));
  // Keys that are rolled over, pressed at once, or held down.
  expect(press(['g', 'e', 'Enter'], 20)).toEqual(['person', 'person', 'person']);
  expect(press(['Tab', 'Enter', 'Enter', 'Escape', 'Tab'], 1)).toEqual(Array(5).fill('person'));
});

test('a stuttering scanner’s keys are still a code, without a person’s letter before it', () => {
  const tell = scannerKeys<number>();
  expect(tell('x', 0, 0)).toBe('person');
  press([...'abc'], 5, tell, 400);
  press([...'def'], 5, tell, 600);
  expect(tell('Enter', 700, 0)).toEqual({ text: 'abcdef', began: 400, place: 0 });
});

test('a second end key belongs to the scanner and makes no code of its own', () => {
  const tell = scannerKeys<number>();
  press([...'abc', 'Tab'], 5, tell);
  expect(tell('Enter', 20, 0)).toBe('scanner');
  expect(tell('Enter', 1_000, 0)).toBe('person');
});

test('consecutive codes are separate codes', () => {
  const told = press([...'abc', 'Enter', ...'abd', 'Enter', 'Enter', ...'x', 'Enter'], 5);
  expect(told.filter((one) => typeof one !== 'string')).toEqual([
    { text: 'abc', began: 0, place: 0 },
    { text: 'abd', began: 20, place: 4 },
    { text: 'x', began: 45, place: 9 },
  ]);
});

test('an unfinished code is not put before the next one', () => {
  const tell = scannerKeys<number>();
  press([...'abc'], 5, tell);
  press([...'xyz'], 5, tell, 1_000);
  expect(tell('Enter', 1_015, 0)).toEqual({ text: 'xyz', began: 1_000, place: 0 });
});
