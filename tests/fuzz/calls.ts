/** The calls there are, as the product's own OpenAPI tells, and what it leaves out. */
import { PAGES } from '#domain/contracts/pages.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { SANDBOX_PATH } from '#infra/payments/sandbox/plugin.ts';
import { paymentForm } from '#tests/kit/card.ts';

/** As much of JSON Schema as our routes use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
}

export type BodyKind = 'none' | 'json' | 'form' | 'webhook' | 'file';

export interface Call {
  /** `POST /api/bookings/cancel` */
  readonly name: string;
  readonly method: string;
  /** With `{id}` for its parameters. */
  readonly path: string;
  readonly query: Readonly<Record<string, Schema>>;
  readonly kind: BodyKind;
  readonly body: Schema;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}

const text: Schema = { type: 'string' };
const form = (names: string): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.split(' ').map((name) => [name, text])),
});

/** The sandbox reads forms, as the provider does; its OpenAPI doesn't tell them. */
const SANDBOX_FORMS: Readonly<Record<string, Schema>> = {
  'POST /payment_intents': form('amount currency metadata[attempt] metadata[bookingId]'),
  'POST /payment_intents/{id}/cancel': form('cancellation_reason'),
  'POST /refunds': form('payment_intent amount metadata[bookingId]'),
  'POST /payment_intents/{id}/confirm': form(
    `${[...paymentForm('', { clientSecret: '' }).keys()].join(' ')} return_url`,
  ),
  'POST /payment_intents/{id}/challenge': form('client_secret outcome'),
};
const { properties: SANDBOX_LISTS = {} } = form('limit starting_after created[gte] payment_intent');

const FILES = /image|logo|hero|upload/;

const bodyOf = (method: string, path: string, { requestBody }: Operation): Pick<Call, 'kind' | 'body'> => {
  if (path === paymentCalls.webhook.path) return { kind: 'webhook', body: {} };
  const content = requestBody?.content ?? {};
  const json = content['application/json']?.schema;
  if (json) return { kind: 'json', body: json };
  const sandboxed = SANDBOX_FORMS[`${method} ${path.replace(`${SANDBOX_PATH}/v1`, '')}`];
  if (sandboxed) return { kind: 'form', body: sandboxed };
  const files = method === 'POST' && (content['multipart/form-data'] !== undefined || FILES.test(path));
  return { kind: files ? 'file' : 'none', body: {} };
};

const bare = (method: string, path: string): Call => ({
  ...{ name: `${method} ${path}`, method, path, query: {}, kind: 'none', body: {} },
});

/** What the OpenAPI doesn't list: pages, files, health, the documentation itself. */
const UNLISTED = [
  ...PAGES.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')),
  ...['/healthz', '/readyz', '/metrics', '/api/docs', '/api/docs/json', '/api/docs/static/{name}'],
  ...['/assets/{name}', '/index.html', '/{name}', '/api/{name}', '/audit'],
].map((path) => bare('GET', path));

/** Reads the calls from `/api/docs/json`. */
export const readCalls = async (origin: string): Promise<readonly Call[]> => {
  const answer = await fetch(`${origin}/api/docs/json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> };
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]): Call => {
      const method = verb.toUpperCase();
      const query = Object.fromEntries(
        (operation.parameters ?? [])
          .filter((parameter) => parameter.in === 'query')
          .map(({ name, schema = text }) => [name, schema]),
      );
      const lists = method === 'GET' && path.startsWith(SANDBOX_PATH) && !path.includes('{');
      const body = bodyOf(method, path, operation);
      return { ...bare(method, path), query: lists ? SANDBOX_LISTS : query, ...body };
    }),
  );
  const known = new Set(listed.map(({ name }) => name));
  return [...listed, ...UNLISTED.filter(({ name }) => !known.has(name))];
};
