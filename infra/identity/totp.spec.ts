import { describe, expect, it } from 'vitest';
import { base32, codeOf, enrolmentUri, stepAt, stepOf } from './totp.ts';

/** The secret of RFC 6238, appendix B, for SHA-1. */
const secret = Buffer.from('12345678901234567890');

describe('a one-time code', () => {
  // The appendix has eight digits; six digits are the last of them.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d s is %s, as in RFC 6238', (seconds, code) => {
    expect(codeOf(secret, stepAt(new Date(seconds * 1_000)))).toBe(code);
  });

  it('is accepted one step early or late, and no more', () => {
    const at = (seconds: number) => new Date(1_111_111_110_000 + seconds * 1_000);
    const step = stepAt(at(0));
    const code = codeOf(secret, step);
    expect([-31, -30, -1, 0, 29, 30, 59, 60].map((late) => stepOf(secret, code, at(late)))).toEqual([
      undefined,
      step,
      step,
      step,
      step,
      step,
      step,
      undefined,
    ]);
  });

  it.each(['', '28708', '2870822', 'abcdef', '２８７０８２', '28708\n'])(
    'is refused if it is malformed: %j',
    (code) => {
      expect(stepOf(secret, code, new Date(59_000))).toBeUndefined();
    },
  );
});

describe('base32', () => {
  // RFC 4648, section 10, without its padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of %j is %j', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded);
  });
});

it('a second factor is set up with an address that authenticator apps accept', () => {
  const uri = new URL(enrolmentUri(secret, { site: 'The Venue', account: 'ann+x@example.com' }));
  expect(decodeURIComponent(uri.pathname)).toContain('The Venue:ann+x@example.com');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'The Venue',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
