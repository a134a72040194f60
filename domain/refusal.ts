import type { Rejection } from './decider.ts';
import { type ErrorCode, errors } from './errors.ts';

export interface RefusalOptions {
  /** Said instead of the catalogue's text. */
  readonly message?: string;
  /** Seconds after which it may be tried again. */
  readonly retryAfter?: number | undefined;
  /** How far the log was, where something was recorded although the call is refused. */
  readonly position?: string;
  readonly cause?: unknown;
}

/**
 * What was asked for is refused: thrown by everybody between a decider, which returns its `Rejection`, and the edge, which answers
 * with it. `details` reach the caller, so nothing personal or secret goes in; `errors` (a list of strings) and `fields`
 * (texts by name) are two that clients know.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  /** HTTP's, by the catalogue. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;
  readonly position: string | undefined;

  constructor(
    code: ErrorCode,
    details: Readonly<Record<string, unknown>> = {},
    { message = errors[code].message, retryAfter, position, cause }: RefusalOptions = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = errors[code].status;
    this.details = details;
    this.retryAfter = retryAfter;
    this.position = position;
  }
}

/** A decider's refusal as an error. Of an input that is not valid, the message is the first complaint. */
export const refusalOf = ({ rejected, details }: Rejection): Refusal => {
  const [first]: readonly unknown[] =
    rejected === 'BAD_INPUT' && Array.isArray(details?.errors) ? details.errors : [];
  return new Refusal(rejected, details, typeof first === 'string' ? { message: first } : {});
};
