import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Fields } from '#domain/kernel/fields.ts';
import { answersOf, requestsOf } from './fields.ts';

const fields = {
  seats: { kind: 'whole', label: 'Seats', most: 40, exported: true },
  opens: { kind: 'clock', label: 'Opens' },
  note: { kind: 'text', label: 'Note', most: 10 },
} as const satisfies Fields;
const full = { seats: 12, opens: '18:30', note: 'Bring ID' };
const none = { seats: null, opens: null, note: null };

describe('the schemas of declared fields', () => {
  const request = z.strictObject(requestsOf(fields));

  it('accept a request with all, some or none of the fields', () => {
    for (const sent of [full, none, { seats: 0 }, {}]) expect(z.parse(request, sent)).toEqual(sent);
    expect(z.parse(request, { opens: '6:30 PM', note: '  ' })).toEqual({ opens: '18:30', note: '' });
  });

  it.each([
    [{ seats: 41 }, 'Seats must be a whole number from 0 to 40'],
    [{ seats: 1.5 }, 'Seats must be a whole number from 0 to 40'],
    [{ seats: '12' }, 'Seats must be a whole number from 0 to 40'],
    [{ opens: 'late' }, 'Must be a time such as 19:30'],
    [{ note: 'Bring ID, please' }, 'Must be at most 10 characters'],
  ])('refuse %j', (sent, message) => {
    expect(z.safeParse(request, sent).error?.issues).toMatchObject([{ message }]);
  });

  it('require each field in an answer', () => {
    const answer = z.strictObject(answersOf(fields));
    for (const value of [full, none]) expect(z.parse(answer, value)).toEqual(value);
    expect(z.safeParse(answer, {}).success).toBe(false);
  });
});
