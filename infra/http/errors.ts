import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { type ErrorCode, errors } from '#domain/kernel/errors.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isOutage } from '#infra/lib/postgres-outage.ts';
import { routeOf } from './request-log.ts';

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errors, code);

const FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_REQ_FILE_TOO_LARGE: 'TOO_LARGE',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_TYPE',
};

const STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_TYPE',
  429: 'TOO_MANY',
  503: 'UNAVAILABLE',
};

const NOT_NOW = new Set(['LogUnavailable', 'OutcomeUnknown', 'UnknownEventType', 'WrittenByNewer']);
const BUSY_FOR = 1;

const MUST_BE: Readonly<Record<string, string>> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
};

z.config({
  customError(issue) {
    if (issue.code === 'unrecognized_keys') return `Unknown: ${issue.keys.join(', ')}`;
    if (issue.code === 'invalid_value') return `Must be ${issue.values.join(' or ')}`;
    if (issue.code === 'invalid_union') return 'Not valid';
    if (issue.code !== 'invalid_type') return undefined;
    return issue.input === undefined ? 'Required' : MUST_BE[issue.expected];
  },
});

interface Issue {
  readonly instancePath: string;
  readonly message?: string | undefined;
}

const invalid = (issues: readonly Issue[]): Refusal => {
  const fields: Record<string, string> = {};
  const list: string[] = [];
  for (const { instancePath, message = 'Not valid' } of issues) {
    const field = instancePath.slice(1).replaceAll('/', '.').slice(0, 100);
    if (field && !Object.hasOwn(fields, field)) fields[field] = message;
    if (!list.includes(message)) list.push(message);
  }
  const [first] = list;
  return new Refusal('BAD_INPUT', { errors: list.slice(0, 20), fields }, first ? { message: first } : {});
};

const issuesOf = (error: object): readonly Issue[] | undefined =>
  'validation' in error && Array.isArray(error.validation) ? error.validation : undefined;

export const toRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  if (typeof error !== 'object' || error === null) return new Refusal('INTERNAL', {}, { cause: error });
  const issues = issuesOf(error);
  if (issues) return invalid(issues);

  const code = 'code' in error ? error.code : undefined;
  if (isCode(code)) {
    const retryAfter =
      'retryAfter' in error && typeof error.retryAfter === 'number' ? error.retryAfter : undefined;
    return new Refusal(code, {}, { cause: error, retryAfter });
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'EventTooLarge') return new Refusal('TOO_LARGE', {}, { cause: error });
  if (NOT_NOW.has(name)) return new Refusal('UNAVAILABLE', {}, { cause: error, retryAfter: BUSY_FOR });
  if (typeof code === 'string') {
    const framework = FRAMEWORK[code];
    if (framework) return new Refusal(framework, {}, { cause: error });
  }
  if (isOutage(error)) return new Refusal('UNAVAILABLE', {}, { cause: error, retryAfter: BUSY_FOR });
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  const known = STATUS[status];
  if (known) return new Refusal(known, {}, { cause: error });
  return new Refusal(status >= 400 && status < 500 ? 'BAD_INPUT' : 'INTERNAL', {}, { cause: error });
};

const AT_THE_DOOR: ReadonlySet<ErrorCode> = new Set([
  'BAD_CREDENTIALS',
  'NO_ACCOUNT',
  'ACCOUNT_INACTIVE',
  'TOKEN_INVALID',
  'CSRF',
  'FORBIDDEN',
]);

export const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  // Aborted requests and lost database connections have the same error code.
  const brokeOff = error !== undefined && request.raw.errored === error;
  const refusal = brokeOff ? new Refusal('BAD_INPUT', {}, { cause: error }) : toRefusal(error);
  if (refusal.code === 'INTERNAL') request.log.error({ err: refusal.cause ?? refusal }, 'request failed');
  else if (refusal.status >= 500)
    request.log.warn({ code: refusal.code, err: refusal.cause }, 'request refused');
  else if (AT_THE_DOOR.has(refusal.code))
    request.log.info({ code: refusal.code, route: routeOf(request) }, 'turned away');
  const retryAfter = refusal.retryAfter ?? (refusal.status === 503 ? BUSY_FOR : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ ...refusal.details, message: refusal.message, code: refusal.code, requestId: request.id });
};
