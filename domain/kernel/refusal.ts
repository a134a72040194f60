import type { Rejection } from './decider.ts';
import { type ErrorCode, errors } from './errors.ts';

export interface RefusalOptions {
  /** Instead of the catalogue's text. */
  readonly message?: string;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Thrown outside deciders and answered by the server. `details` are sent to the caller: nothing personal or secret. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
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

const MOST_USES = 20;

export const refusalOf = (rejection: Rejection): Refusal => {
  const { rejected, details } = rejection;
  const message = messageOf(rejection);
  const usedBy = details?.usedBy;
  const bounded = Array.isArray(usedBy)
    ? { ...details, usedBy: usedBy.slice(0, MOST_USES), uses: usedBy.length }
    : details;
  return new Refusal(rejected, bounded, message === undefined ? {} : { message });
};
