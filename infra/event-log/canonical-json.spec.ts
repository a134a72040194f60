import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** The same value with every object's properties set in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, property]) => [name, reversed(property)]),
  );
};

describe('canonicalJson', () => {
  it('sorts property names by code units at every depth', () => {
    expect(canonicalJson({ b: 1, a: { z: [{ d: 1, c: 2 }], y: null }, '€': 1, Z: true })).toBe(
      '{"Z":true,"a":{"y":null,"z":[{"c":2,"d":1}]},"b":1,"€":1}',
    );
  });

  it('leaves out undefined properties', () => {
    expect(canonicalJson({ a: undefined, b: { c: undefined } })).toBe('{"b":{}}');
  });

  it('refuses values that JSON cannot express', () => {
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      () => 1,
      undefined,
      [undefined],
      { a: Symbol() },
    ])
      expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('escapes lone surrogates, so that the text is valid UTF-8', () => {
    expect(canonicalJson('\ud800')).toBe('"\\ud800"');
  });

  it('writes dates as JSON does', () => {
    expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  it('round-trips any value, with the same text whatever the order of properties', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });
});
