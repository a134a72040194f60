import type { Rejection } from './decider.ts';
import { type ErrorCode, errors } from './errors.ts';

export interface RefusalOptions {
  /** The text for people, if it is not the catalogue's. */
  readonly message?: string;
  /** After how many seconds to try again. */
  readonly retryAfter?: number | undefined;
  /** The log's position, if something was recorded although the call is refused. */
  readonly position?: string;
  readonly cause?: unknown;
}

/**
 * A refusal as an error. A decider returns a `Rejection`; the code around it throws a `Refusal`, and the server answers with it. The
 * caller sees `details`: they must hold nothing personal or secret. Clients know two of them, `errors` (a list of texts) and
 * `fields` (texts by field).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  /** The HTTP status, from the catalogue. */
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

/** The refusal for a decider's rejection. For BAD_INPUT its message is the first of the `errors`. */
export const refusalOf = ({ rejected, details }: Rejection): Refusal => {
  const [first]: readonly unknown[] =
    rejected === 'BAD_INPUT' && Array.isArray(details?.errors) ? details.errors : [];
  return new Refusal(rejected, details, typeof first === 'string' ? { message: first } : {});
};
