/** Spoils a request in one way: the value of a field, the text of a body, a path, a header, the bytes on the wire. */
import type { Chance } from '#tests/kit/chance.ts';
import { type Draft, fileBody } from './draft.ts';
import { bodies, hostileFor, hostileText, keys, pathParts } from './hostile.ts';
import { headers } from './hostile-headers.ts';
import { entriesOf, Members, placesIn, valueAt, withValue, writeJson } from './json.ts';

/** Says how it spoilt the draft; undefined if there is nothing of its kind to spoil. */
type Spoiler = (draft: Draft, chance: Chance) => string | undefined;

/** Encodes what can be encoded; lone surrogates go as they are, which makes them something else again. */
const encoded = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : encodeURI(text.toWellFormed());

/** What a field held, unless it was spoilt before. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const setHeader = (draft: Draft, name: string, value: string): void => {
  draft.headers = draft.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase());
  draft.headers.push([name, value]);
};

const value: Spoiler = (draft, chance) => {
  if (draft.form && draft.form.length > 0) {
    const field = chance.pick(draft.form);
    const was = decoded(field[1]);
    field[1] = encoded(hostileText(chance, was));
    return `form ${field[0]}`;
  }
  if (draft.json === undefined) return undefined;
  const place = chance.pick(placesIn(draft.json));
  draft.json = withValue(draft.json, place, hostileFor(valueAt(draft.json, place), chance));
  return `value of ${place.join('.') || 'the body'}`;
};

const shape: Spoiler = (draft, chance) => {
  if (draft.form && draft.form.length > 0) {
    const field = chance.pick(draft.form);
    const kind = chance.pick(['missing', 'twice', 'nested', 'proto']);
    if (kind === 'missing') draft.form = draft.form.filter((one) => one !== field);
    else if (kind === 'twice') draft.form.push([field[0], encoded(hostileText(chance))]);
    else if (kind === 'nested') draft.form.push([`${field[0]}[${chance.pick(keys)}]`, '1']);
    else draft.form.push(['__proto__[polluted]', 'yes'], ['constructor[prototype][polluted]', 'yes']);
    return `form ${kind} ${field[0]}`;
  }
  const { json } = draft;
  if (typeof json !== 'object' || json === null) return undefined;
  const entries = entriesOf(json);
  const [name, inner] = entries.length > 0 ? chance.pick(entries) : ['x', 1];
  const others = entries.filter(([other]) => other !== name);
  const shapes: Readonly<Record<string, () => readonly (readonly [string, unknown])[]>> = {
    missing: () => others,
    twice: () => [...entries, [name, hostileFor(inner, chance)]],
    extra: () => [...entries, [chance.pick(keys), hostileFor(inner, chance)]],
    wrapped: () => [...others, [name, chance.pick([[inner], { [name]: inner }])]],
    null: () => [...others, [name, null]],
    many: () => [...entries, ...Array.from({ length: 2_000 }, (_, nth) => [`k${nth}`, 1] as const)],
  };
  const [kind, shaped] = chance.pick(Object.entries(shapes));
  draft.json = new Members(shaped());
  return `${kind} ${name}`;
};

const body: Spoiler = (draft, chance) => {
  if (draft.method === 'GET' && chance.roll() < 0.7) return undefined;
  draft.bytes = chance.pick(bodies);
  return 'body replaced';
};

const bodyText: Spoiler = (draft, chance) => {
  if (draft.json === undefined) return undefined;
  const bytes = Buffer.from(writeJson(draft.json));
  if (bytes.length < 2) return undefined;
  const at = chance.between(0, bytes.length - 1);
  const kind = chance.pick(['cut', 'byte', 'insert']);
  const [byte, rest] = [Buffer.from([chance.between(0, 255)]), bytes.subarray(kind === 'byte' ? at + 1 : at)];
  draft.bytes = kind === 'cut' ? bytes.subarray(0, at) : Buffer.concat([bytes.subarray(0, at), byte, rest]);
  return `body ${kind} at ${at}`;
};

const file: Spoiler = (draft, chance) => {
  if (!draft.headers.some(([, type]) => type.startsWith('multipart/'))) return undefined;
  const content = chance.pick([
    ...[Buffer.alloc(0), Buffer.from('<svg onload="alert(1)"/>'), Buffer.from('GIF89a')],
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10]),
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1'),
    ...[Buffer.alloc(200_000, 0xaa), Buffer.alloc(11_000_000, 0x00)],
  ]);
  const type = chance.pick(['image/png', 'text/html', 'image/svg+xml', '']);
  const name = chance.pick(['image', 'file', 'logo', '__proto__', '', 'a'.repeat(500)]);
  draft.bytes = fileBody(content, type, name, hostileText(chance).slice(0, 300));
  if (chance.roll() < 0.3) draft.bytes = draft.bytes.subarray(0, chance.between(0, draft.bytes.length));
  return 'file';
};

const path: Spoiler = (draft, chance) => {
  const parts = draft.path.split('/');
  // Mostly the last parts: the first are what brings it to a route.
  const at = chance.between(Math.min(parts.length - 1, 3), parts.length - 1);
  const part =
    chance.roll() < 0.7 ? chance.pick(pathParts) : encoded(hostileText(chance, parts[at])).slice(0, 4_000);
  const kind = chance.pick(['part', 'part', 'part', 'more', 'slash', 'double', 'case', 'raw']);
  if (kind === 'part') parts[at] = part;
  if (kind === 'more') parts.push(part);
  if (kind === 'slash') parts.push('');
  if (kind === 'double') parts.splice(at, 0, '');
  draft.path = parts.join('/');
  if (kind === 'case') draft.path = draft.path.toUpperCase();
  if (kind === 'raw')
    draft.path += chance.pick(['\u00e9', '\t', '"', '<>', '\\', '|', '#x', '\u0001', '😀', '%']);
  return `path ${kind}`;
};

const query: Spoiler = (draft, chance) => {
  const [known] = draft.query.length > 0 ? [chance.pick(draft.query)] : [];
  const kind = chance.pick(['value', 'value', 'value', 'twice', 'extra', 'nested', 'raw', 'many', 'long']);
  const hostile = (): string => encoded(hostileText(chance, decoded(known?.[1] ?? ''))).slice(0, 12_000);
  if (kind === 'value' && !known) return undefined;
  if (kind === 'value' && known) known[1] = hostile();
  if (kind === 'twice') draft.query.push([known?.[0] ?? 'limit', hostile()], [known?.[0] ?? 'limit', '1']);
  if (kind === 'extra') draft.query.push([encoded(chance.pick(keys)), hostile()]);
  if (kind === 'nested') draft.query.push([`${known?.[0] ?? 'limit'}[__proto__][polluted]`, 'yes']);
  if (kind === 'raw')
    draft.query.push([chance.pick(['%', '%zz', '&&=', '%ff', '\u00e9', '+', ';', '%00', '?']), '%']);
  if (kind === 'many') for (let nth = 0; nth < 1_500; nth++) draft.query.push([`q${nth}`, '1']);
  if (kind === 'long') draft.query.push(['q', 'a'.repeat(chance.pick([2_000, 9_000, 17_000]))]);
  return `query ${kind}`;
};

const header: Spoiler = (draft, chance) => {
  const [name, values] = chance.pick(headers);
  const kind = chance.pick(['set', 'set', 'set', 'twice', 'missing', 'flood']);
  if (kind === 'missing') draft.headers = draft.headers.filter(([known]) => known !== name);
  else if (kind === 'twice') draft.headers.push([name, chance.pick(values)]);
  else if (kind === 'flood') {
    const count = chance.pick([50, 500, 2_500]);
    for (let nth = 0; nth < count; nth++) draft.headers.push([`X-Flood-${nth}`, 'x']);
    return `header flood ${count}`;
  } else setHeader(draft, name, chance.pick(values));
  return `header ${kind} ${name}`;
};

const METHODS = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY SEARCH LOCK'.split(' ');

const method: Spoiler = (draft, chance) => {
  draft.method = chance.pick(METHODS);
  return `method ${draft.method}`;
};

const LENGTHS = [...'0 1 5 999999 -1 1e3 x 0x10 18446744073709551616'.split(' '), '', '3, 3'];
const CODINGS = ['chunked', 'gzip, chunked', 'x', 'chunked, chunked'];
const CHUNKS = [
  ...['0\r\n\r\n', '2\r\n{}\r\n0\r\n\r\n', '5\r\n{}', 'zz\r\n{}\r\n0\r\n\r\n', '-1\r\n', 'ffffffffff\r\nx'],
  ...['2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n', '1\r\n{\r\n0\r\n\r\n'],
];
const linesFor = (method: string, target: string): readonly string[] => [
  `${method} ${target}`,
  ...['0.9', '9.9'].map((version) => `${method} ${target} HTTP/${version}`),
  ...[method.toLowerCase(), 'BREW'].map((verb) => `${verb} ${target} HTTP/1.1`),
  ...['http://evil.test', '//evil.test'].map((host) => `${method} ${host}${target} HTTP/1.1`),
  ...['CONNECT localhost:1 HTTP/1.1', `${method} * HTTP/1.1`, 'OPTIONS * HTTP/1.1'],
  `${method}  ${target}  HTTP/1.1`,
  `${method} ${target.slice(1)} HTTP/1.1`,
  `${method} ${target}${'a'.repeat(20_000)} HTTP/1.1`,
  ...['PRI * HTTP/2.0\r\n\r\nSM', '\u0016\u0003\u0001\u0002\u0000\u0001', ''],
];

/** The parser's business: an answer isn't owed to all of these, as long as the next one gets its own. */
const wire: Spoiler = (draft, chance) => {
  const kind = chance.pick(['length', 'length', 'cut', 'cut', 'chunks', 'line', 'smuggle']);
  if (kind === 'length') draft.length = chance.pick(LENGTHS);
  if (kind === 'cut') draft.upTo = chance.between(1, 700);
  if (kind === 'line') draft.line = chance.pick(linesFor(draft.method, draft.path));
  if (kind === 'chunks') {
    draft.headers.push(['Transfer-Encoding', chance.pick(CODINGS)]);
    draft.bytes = Buffer.from(chance.pick(CHUNKS));
  }
  if (kind === 'smuggle') {
    draft.headers.push(['Transfer-Encoding', 'chunked'], ['Content-Length', '4']);
    draft.bytes = Buffer.from('0\r\n\r\nGET /api/admin/events HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  return `wire ${kind}`;
};

const kinds: readonly (readonly [weight: number, spoiler: Spoiler])[] = [
  [30, value],
  [12, shape],
  [5, body],
  [5, bodyText],
  [6, file],
  [12, path],
  [10, query],
  [12, header],
  [4, method],
  [7, wire],
];
const drawn = kinds.flatMap(([weight, spoiler]) => Array.from({ length: weight }, () => spoiler));

/** Every so often none, mostly one, sometimes several. */
export const spoil = (draft: Draft, chance: Chance): void => {
  const roll = chance.roll();
  const times = roll < 0.08 ? 0 : roll < 0.85 ? 1 : roll < 0.95 ? 2 : 3;
  for (let left = 40; draft.spoilt.length < times && left > 0; left--) {
    const how = chance.pick(drawn)(draft, chance);
    if (how) draft.spoilt.push(how);
  }
};
