import type { ErrorBody } from '#domain/contracts/envelope.ts';

/** An answer that is not OK. The message is `status: body text` (specification). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Empty if the body is not a JSON object. */
  readonly body: Partial<ErrorBody>;
  /** False for a proxy's own error page; our refusals are always JSON objects. */
  readonly isObject: boolean;
  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
    const body = bodyOf(text);
    this.isObject = body !== undefined;
    this.body = body ?? {};
  }
}

const bodyOf = (text: string): Partial<ErrorBody> | undefined => {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.body.message) || fallback;

export const hasCode = (error: unknown, code: ErrorBody['code']): boolean =>
  error instanceof ApiError && error.body.code === code;

export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  (error instanceof ApiError && error.body.fields) || {};

export const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** No answer from our server. `sent` is false if there was no connection throughout the call. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly sent: boolean;
  constructor(sent: boolean, cause: unknown) {
    super(sent ? 'No answer came.' : 'There is no connection.', { cause });
    this.sent = sent;
  }
}

/**
 * `refused`: rejected. `not-sent`: never reached the server. `unknown`: possibly made: the answer was lost,
 * came from a proxy, or reports a server failure.
 */
export type Failure = 'refused' | 'not-sent' | 'unknown';

export const failureOf = (error: unknown): Failure => {
  if (error instanceof NoAnswer && !error.sent) return 'not-sent';
  if (!(error instanceof ApiError) || !error.isObject) return 'unknown';
  const { status, body } = error;
  // A 408 without our error code leaves open whether the server received the change.
  if (status === 408 && !body.code) return 'unknown';
  // BUSY is the only 5xx that guarantees that nothing was written.
  return status < 500 || body.code === 'BUSY' ? 'refused' : 'unknown';
};
