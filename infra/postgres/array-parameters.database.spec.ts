/** What goes in as an array parameter comes out as the same values, whatever they are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { migratedDatabase } from '#tests/kit/database.ts';
import { arrayLiteral, textArray } from './array-parameters.ts';

const database = migratedDatabase();

const back = async (type: string, value: unknown): Promise<unknown> =>
  (await database.pool.query(`SELECT $1::${type}[] AS value`, [value])).rows[0]?.value;

/** Everything that a `text` may hold: no NUL, and no halves of characters. */
const texts = fc.array(fc.string({ unit: 'binary', maxLength: 80 }).filter((text) => !text.includes('\0')));
const awkward = ['', 'null', 'NULL', ' ', 'a,b', '{}', '"', '\\', '\\"', 'Zoë 🎟', '{"a":"b\\n"}', '\n'];

test('array parameters round-trip any text in both formats', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      expect(await back('text', textArray(all))).toEqual(all);
      expect(
        await back(
          'text',
          arrayLiteral(all.length, (index) => all[index]),
        ),
      ).toEqual(all);
    }),
    { examples: [[awkward], [[]]] },
  );
});

test('array parameters round-trip other values, and never return null', async () => {
  const of = (values: readonly (number | boolean | string | null | undefined)[]): string =>
    arrayLiteral(values.length, (index) => values[index]);
  expect(await back('integer', of([1, -2, null, undefined]))).toEqual([1, -2, null, null]);
  expect(await back('boolean', of([true, false]))).toEqual([true, false]);
  expect(await back('timestamptz', of(['2026-11-21T10:00:00.000Z']))).toEqual([
    new Date('2026-11-21T10:00:00Z'),
  ]);
});
