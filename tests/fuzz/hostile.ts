/** Values that somebody who means no good, or a broken client, sends. */
import type { Chance } from '#tests/kit/chance.ts';
import { Members, Raw } from './json.ts';

const LONE_SURROGATE = new Raw('"\\ud800"');

const texts: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  LONE_SURROGATE,
  new Raw('"a\\udc00b"'),
  new Raw('"\\ud83d\\ude00\\ud83d"'),
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'Łódź İstanbul ẞ ﷽',
  'e\u0301'.repeat(60),
  `Z${'\u0338\u0353\u0321'.repeat(90)}`,
  '\u202etxet\u202c\u2066x\u2069',
  '\ufeff\u200b\u2028\u2029',
  '\ufffe\uffff',
  '\u0001\u0007\u001b[31m\u007f',
  'a\r\nSet-Cookie: x=1\r\n\r\n<h1>',
  'A'.repeat(101),
  'A'.repeat(300),
  'é'.repeat(2_001),
  'ﷺ'.repeat(20_000),
  `${'a'.repeat(50_000)}!`,
  "' OR 1=1; DROP TABLE log.event; --",
  '%',
  '_%\\',
  '\\',
  '"',
  '$1',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  `${'<div>'.repeat(2_000)}x`,
  '<p style="x" <<<a href="javascript:0">',
  '{{ 7 | times: 7 }}{% include "x" %}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a careless template would fill in
  '${7*7}#{7*7}',
  '../../../../etc/passwd',
  '=1+1|cmd',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '1e309',
  '0x10',
  '-1',
  '1,5',
  '١٢٣',
  '&',
  '& | ! :* <-> ()',
  'a:*|b',
  'a&!',
  "'",
  '-',
  '—',
  '.',
  '/',
];

const numbers: readonly unknown[] = [
  0,
  new Raw('-0'),
  -1,
  1,
  2,
  9,
  10,
  11,
  1.5,
  0.1,
  0.005,
  1e-7,
  99_999_999,
  2_147_483_647,
  2_147_483_648,
  4_294_967_296,
  9_007_199_254_740_991,
  9_007_199_254_740_992,
  new Raw('9223372036854775808'),
  new Raw('1e21'),
  1e308,
  new Raw('1e999'),
  new Raw('-1e999'),
  new Raw('123456789012345678901234567890.5'),
  new Raw('1E2'),
  new Raw('1.0'),
  -2_147_483_649,
];

const decimals: readonly unknown[] = [
  '28.50',
  '28.5',
  '28.505',
  '0',
  '0.00',
  '0.01',
  '-0.01',
  '+1',
  '1e3',
  '99999.99',
  '100000',
  '999999999999999999999.99',
  '28,50',
  ' 28.50 ',
  'Infinity',
  '٢٨٫٥٠',
];

const moments: readonly unknown[] = [
  '0000-01-01',
  '0001-01-01',
  '0000-12-31T23:59:59Z',
  '1899-12-31',
  '1970-01-01',
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-03-29',
  '2026-10-25',
  '9999-12-31',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00+23:59',
  '+275760-09-13',
  '-000001-01-01',
  '2026-06-01T25:00:00Z',
  '2026-06-01T10:00:00+99:99',
  '2026-06-01T10:00:00.123456789123456789Z',
  '2026-06-01T24:00',
  '2016-12-31T23:59:60Z',
  '2026-06-01T',
  '01:30',
  '00:00',
  '23:59',
  '24:00',
  '12:60',
];

const addresses: readonly unknown[] = [
  'a@b.co',
  'A@B.CO',
  `${'a'.repeat(300)}@b.co`,
  `a@${'b.'.repeat(120)}co`,
  'a b@c.de',
  'a@b@c.de',
  '@',
  'a@',
  "o'neil+x@c.de",
  'ünï@cödé.de',
  'a\r\nBcc: x@y.zz@c.de',
  '<a@b.co>',
  'a@b.co\u0000',
  'a@b.co,c@d.ef',
  `${'a.'.repeat(100)}!`,
  'x@\ud83d\ude00',
];

const urls: readonly unknown[] = [
  'javascript:alert(1)',
  '//evil.test/x',
  '/\\evil.test',
  'https://',
  'http://[::1',
  'https://a@b:99999/',
  '/images/../../etc/passwd',
  'data:text/html,x',
  `https://x.test/${'a'.repeat(3_000)}`,
  '/%00',
  '/%ff',
];

const deep = (levels: number): Raw => new Raw(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const deepObject = (levels: number): Raw => new Raw(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

const shapes: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [1, 'a', {}],
  ['a', 'a'],
  [LONE_SURROGATE],
  Array.from({ length: 10_000 }, () => 1),
  Array.from({ length: 21 }, (_, index) => `t${index}`),
  new Members([['__proto__', { polluted: 'yes' }]]),
  new Members([['constructor', { prototype: { polluted: 'yes' } }]]),
  new Members([
    ['toString', 1],
    ['valueOf', null],
    ['then', 1],
    ['toJSON', 'x'],
    ['length', 1e9],
  ]),
  new Members([['\u0000', 1]]),
  new Members([['', 1]]),
  new Members([['a'.repeat(5_000), 1]]),
  { $gt: '' },
  { toString: 'x' },
  deep(50),
  deep(8_000),
  deepObject(5_000),
];

/** Keys that no object of ours has, and that some libraries trip over. */
export const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  '\u0000',
  'a.b',
  'a[b]',
  '0',
  'id',
  'role',
  'isActive',
  'userId',
  'emailVerified',
  'availableTickets',
];

/** A hostile value for a place that held `instead`, more often of its own kind than not. */
export const hostileFor = (instead: unknown, chance: Chance): unknown => {
  const kin: (readonly unknown[])[] = [];
  if (typeof instead === 'number') kin.push(numbers, numbers, decimals);
  if (typeof instead === 'string') {
    kin.push(texts, texts);
    if (instead.includes('@')) kin.push(addresses, addresses);
    if (/^\d{4}-|^\d\d:/.test(instead)) kin.push(moments, moments, moments);
    if (/^\d+(\.\d+)?$/.test(instead)) kin.push(decimals, decimals, numbers);
    if (/^(https?:)?\//.test(instead)) kin.push(urls, urls);
  }
  if (typeof instead === 'object') kin.push(shapes, shapes);
  return chance.pick(chance.pick([...kin, texts, numbers, shapes, moments]));
};

/** A hostile value that fits into a path, a query or a header, before any encoding. */
export const hostileText = (chance: Chance, instead: unknown = ''): string => {
  const value = hostileFor(instead, chance);
  return value instanceof Raw
    ? value.text
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value) ?? '');
};

/** Parts of a path that are broken, or that break out. */
export const pathParts = [
  '%',
  '%2',
  '%zz',
  '%00',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%e2%28%a1',
  '%f0%9f%98%80',
  '..',
  '%2e%2e',
  '%2f',
  '%5c',
  '..%2f..%2fetc%2fpasswd',
  ';a=b',
  '%20',
  '%0d%0aX-A:%20b',
  '%23',
  '%3f',
  '0',
  '-1',
  '00000000001',
  '1.0',
  '1e3',
  '2147483647',
  '2147483648',
  '9223372036854775808',
  '99999999999999999999999999',
  '%31',
  '１',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '*',
  ':id',
  '{id}',
  'a'.repeat(499),
  'a'.repeat(501),
  'a'.repeat(3_000),
  '%25'.repeat(300),
  "1'--",
  '00000000-0000-0000-0000-000000000000',
  '%F0%9F%98',
] as const;
