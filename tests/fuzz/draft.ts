/** A request while it is being made and spoilt, and its bytes in the end. */
import type { Chance } from '#tests/kit/chance.ts';
import type { Call } from './calls.ts';
import { writeJson } from './json.ts';
import { type Stock, validFor } from './valid.ts';

/** Whose session a request carries. */
export type Who = 'visitor' | 'customer' | 'staff' | 'auditor' | 'admin' | 'superuser';

export interface Draft {
  readonly call: string;
  readonly who: Who;
  /** How it was spoilt; empty: it is as it should be. */
  readonly spoilt: string[];
  method: string;
  path: string;
  /** Encoded already. */
  query: [name: string, value: string][];
  /** `{session}` and `{csrf}` stand for what the sender has when it is sent. */
  headers: [name: string, value: string][];
  /** What the body says, where it is JSON; `bytes` go before it. */
  json?: unknown;
  /** A form's fields, the same way. */
  form?: [name: string, value: string][] | undefined;
  bytes?: Buffer | undefined;
  /** Instead of the body's real length. */
  length?: string;
  /** Instead of `METHOD path HTTP/1.1`. */
  line?: string;
  /** Only so many bytes are sent. */
  upTo?: number;
}

const BOUNDARY = 'reprise-fuzz-boundary';
/** The smallest PNG there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A form with one file. */
export const fileBody = (content: Buffer, type = 'image/png', name = 'image', file = 'x.png'): Buffer => {
  const disposition = `form-data; name="${name}"; filename="${file}"`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
};

const CONTENT_TYPES: Readonly<Partial<Record<Call['kind'], string>>> = {
  ...{ json: 'application/json', webhook: 'application/json', form: 'application/x-www-form-urlencoded' },
  file: `multipart/form-data; boundary=${BOUNDARY}`,
};

/** Who most likely may. */
const rightful = (path: string, chance: Chance): Who => {
  if (/\/tickets\/(scan|gates|admit|undo-scan|day|counts|guests|conflicts|\w+-scans)$/.test(path))
    return 'staff';
  if (/^\/api\/(admin|audit|log|replay|operat)/.test(path)) return 'superuser';
  if (/\/auth\/(login|register|forgot|reset|google)/.test(path)) return 'visitor';
  return chance.roll() < 0.8 ? 'customer' : 'superuser';
};

const STANDINGS: readonly Who[] = ['visitor', 'customer', 'staff', 'auditor', 'admin', 'superuser'];

/** The place of `{id}` in a path names what it is an id of. */
const parameterName = (path: string, parameter: string): string => {
  const parts = path.split('/');
  const before = parts[parts.indexOf(`{${parameter}}`) - 1] ?? '';
  return parameter === 'id' ? `${before}.id` : parameter;
};

/** Mostly somebody who may, sometimes anybody. */
export const senderOf = ({ path }: Call, chance: Chance): Who =>
  chance.roll() < 0.75 ? rightful(path, chance) : chance.pick(STANDINGS);

const encodedField = ([name, value]: [string, unknown]): [string, string] => [
  encodeURIComponent(name),
  encodeURIComponent(String(value)),
];

/** A request that a client of ours could send. */
export const validDraft = (call: Call, who: Who, stock: Stock, chance: Chance): Draft => {
  const path = call.path.replace(/\{(\w+)\}/g, (_all, parameter: string) => {
    const name = parameterName(call.path, parameter);
    return encodeURIComponent(String(validFor(name, { type: 'string', pattern: '^\\d' }, stock, chance)));
  });
  const query = Object.entries(call.query)
    .filter(() => chance.roll() < 0.5)
    .map(([name, schema]) => encodedField([name, validFor(name, schema, stock, chance)]));
  const headers: [string, string][] = [
    ['Host', 'localhost:3000'],
    ['Connection', 'close'],
    ['Cookie', who === 'visitor' ? 'X-CSRF-Token={csrf}' : 'reprise-session={session}; X-CSRF-Token={csrf}'],
  ];
  if (call.method !== 'GET') headers.push(['X-CSRF-Token', '{csrf}']);
  const type = CONTENT_TYPES[call.kind];
  if (type) headers.push(['Content-Type', type]);
  if (call.path.startsWith('/sandbox'))
    headers.push(['Authorization', `Bearer ${chance.roll() < 0.9 ? '{secretKey}' : '{publishableKey}'}`]);
  if (/payment-intent|bookings|payment_intents$|refunds$/.test(call.path) && chance.roll() < 0.4)
    headers.push(['Idempotency-Key', `key-${chance.between(1, 1e12)}`]);
  const draft: Draft = { call: call.name, who, spoilt: [], method: call.method, path, query, headers };
  const value = () => validFor('', call.body, stock, chance);
  if (call.kind === 'json') draft.json = value();
  if (call.kind === 'webhook') draft.json = noticeOf(stock, chance);
  if (call.kind === 'form') draft.form = Object.entries(value() ?? {}).map(encodedField);
  if (call.kind === 'file') draft.bytes = fileBody(PICTURE);
  return draft;
};

/** What the provider would tell. It is signed when it is sent. */
const noticeOf = (stock: Stock, chance: Chance): object => {
  const intents = stock.get('payment_intents.id') ?? ['pi_none'];
  const [type, object] = chance.pick([
    ['payment_intent.succeeded', 'payment_intent'],
    ['refund.created', 'refund'],
    ['charge.refunded', 'charge'],
    ['charge.dispute.created', 'dispute'],
    ['unheard.of', 'charge'],
  ] as const);
  const about = { id: chance.pick(intents), object, payment_intent: chance.pick(intents), amount: 2_850 };
  return { id: `evt_${chance.between(1, 1e12)}`, object: 'event', type, data: { object: about } };
};

/** What a sender has: their session, keys of the sandbox, the signature of a notice. */
export interface Credentials
  extends Readonly<Record<'session' | 'log' | 'csrf' | 'secretKey' | 'publishableKey', string>> {
  sign(body: string): string;
}

const bodyOf = ({ bytes, json, form }: Draft): Buffer | undefined => {
  if (bytes) return bytes;
  if (form) return Buffer.from(form.map(([name, value]) => `${name}=${value}`).join('&'));
  return json === undefined ? undefined : Buffer.from(writeJson(json));
};

/** The bytes as they go out. */
export const encode = (draft: Draft, credentials: Credentials): Buffer => {
  const { sign, ...own } = credentials;
  const { method, path, query, headers, line, length, upTo } = draft;
  const body = bodyOf(draft);
  const target =
    path + (query.length > 0 ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : '');
  const all = [...headers];
  if (draft.call.endsWith('/webhook') && body) all.push(['Stripe-Signature', sign(body.toString())]);
  const sized = all.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (!sized && (body || length !== undefined)) all.push(['Content-Length', length ?? String(body?.length)]);
  const lines = [line ?? `${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
  let head = `${lines.join('\r\n')}\r\n\r\n`;
  for (const [name, value] of Object.entries(own)) head = head.replaceAll(`{${name}}`, value);
  return Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)]).subarray(0, upTo);
};
