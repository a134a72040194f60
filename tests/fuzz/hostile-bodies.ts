/** Bodies that are no JSON, or not the JSON that anybody asked for. */
const texts: readonly string[] = [
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
  ...texts.map((text) => Buffer.from(text)),
  Buffer.from('{}', 'utf16le'),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xed, 0xa0, 0x80]),
];
