/** What is known of a call that failed. */
import type { ErrorBody } from '#domain/contracts/envelope.ts';

/** An answer that is not OK. Its message is the status, a colon and the body's text, as the specification has it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The parsed body; empty where it is no JSON object. */
  readonly body: Partial<ErrorBody>;
  /** Whether the body is a JSON object, as that of each refusal is. A proxy's own page is none. */
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

/** The server's message, or `fallback` if it sent none. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.body.message) || fallback;

/** Whether the server refused with this code of `domain/kernel/errors.ts`. */
export const hasCode = (error: unknown, code: ErrorBody['code']): boolean =>
  error instanceof ApiError && error.body.code === code;

/** Whether the server refused because the thing is not what the page shows: somebody else has changed it, or it has moved on. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** The server's complaints about fields, by their names. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  (error instanceof ApiError && error.body.fields) || {};

/** Whether nobody is signed in (any more). */
export const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** A call without an answer of ours. `sent` is false if there was no connection from its beginning to its end. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly sent: boolean;
  constructor(sent: boolean, cause: unknown) {
    super(sent ? 'No answer came.' : 'There is no connection.', { cause });
    this.sent = sent;
  }
}

/**
 * What became of a change that failed. `refused`: the server said no. `not-sent`: the server never heard of it. `unknown`: it may have
 * been made, since the answer did not come, came from a proxy, or says that the server itself failed half-way.
 */
export type Failure = 'refused' | 'not-sent' | 'unknown';

/** What became of a change, by the error that its call threw. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof NoAnswer && !error.sent) return 'not-sent';
  if (!(error instanceof ApiError) || !error.isObject) return 'unknown';
  const { status, body } = error;
  // A timeout that no code of ours explains leaves it open whether the server has heard of the change.
  if (status === 408 && !body.code) return 'unknown';
  // The only failure of the server that says that nothing was written.
  return status < 500 || body.code === 'BUSY' ? 'refused' : 'unknown';
};
