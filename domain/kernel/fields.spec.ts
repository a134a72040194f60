import { describe, expect, it } from 'vitest';
import { columnsOf, type Fields, sentOf, typedOf, valuesOf } from './fields.ts';

const fields = {
  seats: { kind: 'whole', label: 'Seats', most: 40, exported: true },
  opens: { kind: 'clock', label: 'Opens' },
  note: { kind: 'text', label: 'Note', most: 10 },
} as const satisfies Fields;
const full = { seats: 12, opens: '18:30', note: 'Bring ID' };
const none = { seats: null, opens: null, note: null };

describe('the values of declared fields', () => {
  it('are complete, in the order of the fields, and include no others', () => {
    expect(JSON.stringify(valuesOf(fields, { note: 'Bring ID', opens: '18:30', seats: 12 }))).toBe(
      JSON.stringify(full),
    );
    expect(valuesOf(fields, { ...full, other: 1 } as object)).toEqual(full);
    expect(valuesOf(fields)).toEqual(none);
  });

  it('stay unchanged if omitted, and are cleared by null, 0 or blank text', () => {
    expect(valuesOf(fields, { seats: 8 }, full)).toEqual({ ...full, seats: 8 });
    expect(valuesOf(fields, { seats: 0, opens: null, note: '' }, full)).toEqual(none);
  });

  it('are filled into a form and sent by it', () => {
    expect(typedOf(fields)).toEqual({ seats: '', opens: '', note: '' });
    expect(typedOf(fields, none)).toEqual({ seats: '', opens: '', note: '' });
    expect(sentOf(fields, typedOf(fields, full))).toEqual(full);
    expect(sentOf(fields, typedOf(fields))).toEqual(none);
  });

  it('are in a CSV file if the field says so', () => {
    expect(columnsOf(fields).map(([label, value]) => [label, value(full), value(none)])).toEqual([
      ['Seats', 12, null],
    ]);
  });
});
