const split = (text: string): readonly string[] => text.split(' | ');

/** Headers as no client of ours sends them. `{session}` and `{csrf}` stand for the sender's own, `{log}` for the log's id. */
const values: Readonly<Record<string, readonly string[]>> = {
  'Content-Type': [
    ...split(
      'text/plain | application/x-www-form-urlencoded | multipart/form-data | multipart/form-data; boundary=',
    ),
    ...split(
      'application/json; charset=utf-16 | application/json;charset=latin1;charset=utf-8 | APPLICATION/JSON',
    ),
    ...split(
      'application/json, text/html | application/jsonp | application/vnd.api+json | */* | json | / | ;',
    ),
    ...['', 'application/json; a="', `application/${'x'.repeat(3_000)}`],
  ],
  Cookie: [
    ...split('= | ;;; | reprise-session | reprise-session= | reprise-session={session}; reprise-session=x'),
    ...split('reprise-session=x; X-CSRF-Token={csrf} | reprise-session=%zz; X-CSRF-Token=%'),
    ...split(
      'reprise-session="{session}"; X-CSRF-Token="{csrf}" | reprise-session={session}; X-CSRF-Token=x',
    ),
    ...split(
      '__proto__=x; constructor=y; toString=z | reprise-session=s%3Ax.y | reprise-session=%F0%9F%98%80%00',
    ),
    ...['', `reprise-session=${'A'.repeat(43)}`, `reprise-session=${'A'.repeat(5_000)}`],
    'reprise-session=\u00e9\u0001',
    Array.from({ length: 500 }, (_, index) => `c${index}=1`).join('; '),
  ],
  'X-CSRF-Token': [
    ...['', 'x', '.', '{csrf}x', '{csrf}, {csrf}', 'A'.repeat(200), '\u00e9'.repeat(22)],
    `${'A'.repeat(22)}.${'A'.repeat(43)}`,
  ],
  Origin: ['', ...split('null | https://evil.test | http://localhost:3000 | file:// | http://[ | \u00e9')],
  'Sec-Fetch-Site': ['', ...split('cross-site | same-origin | none | x')],
  Host: [
    '',
    'x'.repeat(2_000),
    ...split('evil.test | localhost:99999 | [::1 | a b | localhost:3000, evil.test'),
  ],
  'Idempotency-Key': [
    ...['', ' ', 'k'.repeat(2_000)],
    ...split("x | key | \u00e9\u00ff | ';-- | %00 | 00000000-0000-0000-0000-000000000000"),
  ],
  'X-Min-Position': [
    ...['', 'y'.repeat(2_000), '{log}:00000000000000000001'],
    ...split('x | : | x:1 | a:b:c | {log}: | {log}:-1 | {log}:x | {log}:1e9'),
  ],
  'X-Log-Position': ['x:y'],
  Accept: ['', 'text/html', 'application/xml', '*/*;q=x', `${'a/b,'.repeat(1_000)}c/d`],
  'Accept-Encoding': split('gzip | br;q=1e9 | identity;q=0 | *;q=0 | x'),
  'Content-Encoding': split('gzip | identity | x'),
  Range: split('bytes=0-0 | bytes=-1 | bytes=9999999999- | bytes=5-1 | x | bytes=0-1,2-3,4-5'),
  'If-None-Match': split('* | "" | x | W/"'),
  'If-Match': split('"x" | *'),
  'If-Unmodified-Since': split('x | Thu, 01 Jan 1970 00:00:00 GMT'),
  'If-Modified-Since': split('x | Thu, 01 Jan 1970 00:00:00 GMT | Fri, 31 Dec 9999 23:59:59 GMT'),
  Authorization: [
    '',
    'Bearer ',
    'x'.repeat(3_000),
    ...split('Bearer | Basic | Basic %%% | Basic Og== | Digest x'),
  ],
  'Stripe-Signature': [
    ...['', `t=${'9'.repeat(400)},v1=${'a'.repeat(64)}`],
    ...split('x | \u00e9 | t=,v1=\u00e9 | t=,v1= | t=1,v1=00'),
  ],
  'X-Forwarded-For': ['1.2.3.4', 'x', '::1, 10.0.0.1', ','.repeat(300)],
  'X-Forwarded-Host': ['evil.test'],
  'X-Forwarded-Proto': ['https', 'x'],
  'X-HTTP-Method-Override': ['DELETE'],
  'User-Agent': ['', 'x'.repeat(4_000), '\u00e9\u00ff'],
  'Last-Event-ID': ['x', '-1', '9'.repeat(300)],
  Expect: ['100-continue', 'x'],
  Upgrade: ['websocket', 'h2c'],
  Connection: ['upgrade', 'keep-alive, x', ''],
  'Accept-Version': ['9.9.9', '*'],
};

export const headers = Object.entries(values);
