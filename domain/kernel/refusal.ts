import type { Rejection } from './decider.ts';
import { type ErrorCode, errors } from './errors.ts';

export interface RefusalOptions {
  /** The text for people, if it is not the catalogue's. */
  readonly message?: string;
  /** After how many seconds to try again. */
  readonly retryAfter?: number | undefined;
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

  constructor(
    code: ErrorCode,
    details: Readonly<Record<string, unknown>> = {},
    { message = errors[code].message, retryAfter, cause }: RefusalOptions = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = errors[code].status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** What a rejection says instead of the catalogue's text: an input's first complaint, or what uses the thing. */
const messageOf = ({ rejected, details }: Rejection): string | undefined => {
  if (rejected === 'BAD_INPUT' && Array.isArray(details?.errors)) {
    const [first]: readonly unknown[] = details.errors;
    return typeof first === 'string' ? first : undefined;
  }
  if (rejected !== 'IN_USE' || !Array.isArray(details?.usedBy)) return undefined;
  const [first, ...others]: readonly { readonly name: string }[] = details.usedBy;
  if (!first) return undefined;
  return `This is still in use by ${first.name}${others.length > 0 ? ` and ${others.length} more` : ''}.`;
};

/** How many of the things that use something an answer lists. `uses` says how many there are. */
const MOST_USES = 20;

/** The refusal for a decider's rejection. */
export const refusalOf = (rejection: Rejection): Refusal => {
  const { rejected, details } = rejection;
  const message = messageOf(rejection);
  const usedBy = details?.usedBy;
  const bounded = Array.isArray(usedBy)
    ? { ...details, usedBy: usedBy.slice(0, MOST_USES), uses: usedBy.length }
    : details;
  return new Refusal(rejected, bounded, message === undefined ? {} : { message });
};
