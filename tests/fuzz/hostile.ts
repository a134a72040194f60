/** Values that somebody who means no good, or a broken client, sends. */
import type { Chance } from '#tests/kit/chance.ts';
import { Members, Raw } from './json.ts';

const LONE_SURROGATE = new Raw('"\\ud800"');
const split = (text: string): readonly string[] => text.split(' ');

const texts: readonly unknown[] = [
  ...split(`% _%\\ \\ " $1 null undefined NaN true __proto__ constructor prototype hasOwnProperty toString`),
  ...split("1e309 0x10 -1 1,5 ١٢٣ & a:*|b a&! ' - — . / =1+1|cmd ../../../../etc/passwd"),
  ...['', ' ', '[object Object]', '& | ! :* <-> ()', "' OR 1=1; DROP TABLE log.event; --"],
  ...['\u0000', 'a\u0000b', '\ufeff\u200b\u2028\u2029', '\ufffe\uffff', '\u0001\u0007\u001b[31m\u007f'],
  ...[LONE_SURROGATE, new Raw('"a\\udc00b"'), new Raw('"\\ud83d\\ude00\\ud83d"')],
  ...['👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'Łódź İstanbul ẞ ﷽', '\u202etxet\u202c\u2066x\u2069'],
  ...['e\u0301'.repeat(60), `Z${'\u0338\u0353\u0321'.repeat(90)}`, `${'a'.repeat(50_000)}!`],
  ...['A'.repeat(101), 'A'.repeat(300), 'é'.repeat(2_001), 'ﷺ'.repeat(20_000), `${'<div>'.repeat(2_000)}x`],
  'a\r\nSet-Cookie: x=1\r\n\r\n<h1>',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '<p style="x" <<<a href="javascript:0">',
  '{{ 7 | times: 7 }}{% include "x" %}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a careless template would fill in
  '${7*7}#{7*7}',
];

const numbers: readonly unknown[] = [
  ...[
    0, -1, 1, 2, 9, 10, 11, 1.5, 0.1, 0.005, 1e-7, 99_999_999, 2_147_483_647, 2_147_483_648, -2_147_483_649,
  ],
  ...[4_294_967_296, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e308],
  ...split('-0 9223372036854775808 1e21 1e999 -1e999 123456789012345678901234567890.5 1E2 1.0').map(
    (text) => new Raw(text),
  ),
];

const decimals: readonly unknown[] = [
  ...split('28.50 28.5 28.505 0 0.00 0.01 -0.01 +1 1e3 99999.99 100000 999999999999999999999.99 28,50'),
  ...[' 28.50 ', 'Infinity', '٢٨٫٥٠'],
];

const moments: readonly unknown[] = [
  ...split(
    '0000-01-01 0001-01-01 0000-12-31T23:59:59Z 1899-12-31 1970-01-01 2026-02-29 2026-02-30 2026-13-01',
  ),
  ...split('2026-03-29 2026-10-25 9999-12-31 9999-12-31T23:59:59.999Z 9999-12-31T23:59:59-23:59 2026-06-01T'),
  ...split('0000-01-01T00:00:00+23:59 +275760-09-13 -000001-01-01 2026-06-01T25:00:00Z 2026-06-01T24:00'),
  ...split('2026-06-01T10:00:00+99:99 2026-06-01T10:00:00.123456789123456789Z 2016-12-31T23:59:60Z'),
  ...split('01:30 00:00 23:59 24:00 12:60'),
];

const addresses: readonly unknown[] = [
  ...split("a@b.co A@B.CO a@b@c.de @ a@ o'neil+x@c.de ünï@cödé.de <a@b.co> a@b.co,c@d.ef x@\ud83d\ude00"),
  ...[`${'a'.repeat(300)}@b.co`, `a@${'b.'.repeat(120)}co`, `${'a.'.repeat(100)}!`],
  ...['a b@c.de', 'a\r\nBcc: x@y.zz@c.de', 'a@b.co\u0000'],
];

const urls: readonly unknown[] = [
  ...split('javascript:alert(1) //evil.test/x /\\evil.test https:// http://[::1 https://a@b:99999/'),
  ...split('/images/../../etc/passwd data:text/html,x /%00 /%ff'),
  `https://x.test/${'a'.repeat(3_000)}`,
];

const deep = (levels: number): Raw => new Raw(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const deepObject = (levels: number): Raw => new Raw(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

const shapes: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], [1, 'a', {}], ['a', 'a'], [LONE_SURROGATE]],
  ...[{ $gt: '' }, { toString: 'x' }, deep(50), deep(8_000), deepObject(5_000)],
  Array.from({ length: 10_000 }, () => 1),
  Array.from({ length: 21 }, (_, index) => `t${index}`),
  ...[
    ...[
      ['__proto__', { polluted: 'yes' }] as const,
      ['constructor', { prototype: { polluted: 'yes' } }] as const,
    ],
    ...['\u0000', '', 'a'.repeat(5_000)].map((name) => [name, 1] as const),
  ].map((member) => new Members([member])),
  new Members(Object.entries({ toString: 1, valueOf: null, toJSON: 'x', length: 1e9 }).concat([['then', 1]])),
];

/** Keys that no object of ours has, and that some libraries trip over. */
export const keys: readonly string[] = [
  ...split('__proto__ constructor prototype toString hasOwnProperty then a.b a[b] 0 id role isActive userId'),
  ...['emailVerified', 'availableTickets', '', '\u0000'],
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
export const pathParts: readonly string[] = [
  ...split(
    '% %2 %zz %00 %ff %c0%af %ed%a0%80 %e2%28%a1 %f0%9f%98%80 %F0%9F%98 .. %2e%2e %2f %5c %20 %23 %3f',
  ),
  ...split(
    '..%2f..%2fetc%2fpasswd ;a=b %0d%0aX-A:%20b 0 -1 00000000001 1.0 1e3 2147483647 2147483648 %31 １',
  ),
  ...split(
    "9223372036854775808 99999999999999999999999999 null undefined NaN __proto__ constructor toString 1'--",
  ),
  ...split('* :id {id} 00000000-0000-0000-0000-000000000000'),
  ...['a'.repeat(499), 'a'.repeat(501), 'a'.repeat(3_000), '%25'.repeat(300)],
];

/** Bodies that are no JSON, or not the JSON that anybody asked for. */
const bodyTexts: readonly string[] = [
  ...[
    '',
    'null',
    '[]',
    '{}',
    '"text"',
    '0',
    ' \n ',
    '{',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    'a=1&b=2',
  ],
  ...[' '.repeat(70_000), 'a'.repeat(300_000), `{"a":"${'x'.repeat(70_000)}"}`],
  ...['['.repeat(60_000), '{"a":'.repeat(12_000)],
  '{"__proto__":{"polluted":"yes"}}',
  '{"a":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}}',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
];

export const bodies: readonly Buffer[] = [
  ...bodyTexts.map((text) => Buffer.from(text)),
  Buffer.from('{}', 'utf16le'),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xed, 0xa0, 0x80]),
];
