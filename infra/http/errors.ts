/**
 * Errors at the edge: whatever goes wrong becomes one reply of one shape,
 * `{ message, code, requestId, errors?, fields?, …details }`, with a code of the one catalogue (`domain/errors.ts`).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rejection } from '#domain/decider.ts';
import { type ErrorCode, errors } from '#domain/errors.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import { isOutage } from '#infra/postgres/outage.ts';
import { routeOf } from './request-log.ts';

export interface HttpErrorOptions {
  /** Said instead of the catalogue's text. */
  readonly message?: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number;
  /** How far the log was, where something was recorded although the call is refused; for `X-Log-Position`. */
  readonly position?: Position;
  readonly cause?: unknown;
}

/**
 * A refusal by code. `details` reach the caller at the top level of the body, so nothing personal or secret goes in;
 * `errors` (a list of strings) and `fields` (texts by name) are two that clients know.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;
  readonly position: Position | undefined;

  constructor(
    code: ErrorCode,
    details: Readonly<Record<string, unknown>> = {},
    options: HttpErrorOptions = {},
  ) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.code = code;
    this.status = errors[code].status;
    this.details = details;
    this.retryAfter = options.retryAfter;
    this.position = options.position;
  }
}

/** A decider's refusal, as the edge says it: of an input, the first complaint. */
export const fromRejection = ({ rejected, details }: Rejection): HttpError => {
  const [first]: readonly unknown[] =
    rejected === 'BAD_INPUT' && Array.isArray(details?.errors) ? details.errors : [];
  return new HttpError(rejected, details, typeof first === 'string' ? { message: first } : {});
};

/**
 * What a command came to, or its refusal thrown.
 * @throws HttpError
 */
export const accepted = <Accepted extends { readonly ok: true }>(
  outcome: Accepted | { readonly ok: false; readonly rejection: Rejection },
): Accepted => {
  if (outcome.ok) return outcome;
  throw fromRejection(outcome.rejection);
};

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errors, code);

/** What Fastify and our libraries throw for input, by their code. */
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

/** The store behind the log: it isn't there, or its reply was lost. */
const LOG_DOWN = new Set(['LogUnavailable', 'OutcomeUnknown']);
const BUSY_FOR = 1;

interface Issue {
  readonly instancePath: string;
  readonly message?: string | undefined;
}

/** Each invalid field with its text. `/preferences/favoriteCategories` becomes `preferences.favoriteCategories`. */
const invalid = (issues: readonly Issue[]): HttpError => {
  const fields: Record<string, string> = {};
  const list: string[] = [];
  for (const { instancePath, message = 'Invalid' } of issues) {
    const field = instancePath.slice(1).replaceAll('/', '.').slice(0, 100);
    if (field && !Object.hasOwn(fields, field)) fields[field] = message;
    list.push(message);
  }
  const [first] = list;
  const generic = !first || first.startsWith('Invalid input') || first.startsWith('Unrecognized');
  return new HttpError('BAD_INPUT', { errors: list.slice(0, 20), fields }, generic ? {} : { message: first });
};

const issuesOf = (error: object): readonly Issue[] | undefined =>
  'validation' in error && Array.isArray(error.validation) ? error.validation : undefined;

/** Any error as the refusal that its caller is told. What nobody foresaw is `INTERNAL`. */
export const toHttpError = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error;
  if (typeof error !== 'object' || error === null) return new HttpError('INTERNAL', {}, { cause: error });
  const issues = issuesOf(error);
  if (issues) return invalid(issues);

  const code = 'code' in error ? error.code : undefined;
  if (isCode(code)) {
    const retryAfter =
      'retryAfter' in error && typeof error.retryAfter === 'number' ? error.retryAfter : undefined;
    return new HttpError(code, {}, { cause: error, retryAfter });
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'EventTooLarge') return new HttpError('TOO_LARGE', {}, { cause: error });
  if (LOG_DOWN.has(name)) return new HttpError('UNAVAILABLE', {}, { cause: error, retryAfter: BUSY_FOR });
  if (typeof code === 'string') {
    const framework = FRAMEWORK[code];
    if (framework) return new HttpError(framework, {}, { cause: error });
  }
  if (isOutage(error)) return new HttpError('UNAVAILABLE', {}, { cause: error, retryAfter: BUSY_FOR });
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  const known = STATUS[status];
  if (known) return new HttpError(known, {}, { cause: error });
  return new HttpError(status >= 400 && status < 500 ? 'BAD_INPUT' : 'INTERNAL', {}, { cause: error });
};

/** Refusals that an operator wants to see come in numbers: somebody tries doors. What a limit refuses is counted by the metrics. */
const AT_THE_DOOR: ReadonlySet<ErrorCode> = new Set([
  'BAD_CREDENTIALS',
  'NO_ACCOUNT',
  'ACCOUNT_INACTIVE',
  'TOKEN_INVALID',
  'CSRF',
  'FORBIDDEN',
]);

/** Answers with an error, and logs what was our own fault, or somebody at the door. */
export const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const refusal = toHttpError(error);
  if (refusal.code === 'INTERNAL') request.log.error({ err: refusal.cause ?? refusal }, 'request failed');
  else if (refusal.status >= 500)
    request.log.warn({ code: refusal.code, err: refusal.cause }, 'request refused');
  else if (AT_THE_DOOR.has(refusal.code))
    request.log.info({ code: refusal.code, route: routeOf(request) }, 'turned away');
  const retryAfter = refusal.retryAfter ?? (refusal.status === 503 ? BUSY_FOR : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
  if (refusal.position !== undefined) reply.position(refusal.position);
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ ...refusal.details, message: refusal.message, code: refusal.code, requestId: request.id });
};
