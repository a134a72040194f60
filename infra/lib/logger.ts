/** No secrets or personal data: errors keep type, code and stack, but not the values that databases and providers quote. */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

const HIDDEN = [
  'password',
  'token',
  'secret',
  'authorization',
  'cookie',
  'cookies',
  'headers',
  'body',
  'query',
  'email',
  'address',
  'firstName',
  'lastName',
  'name',
  'dateOfBirth',
  'reason',
  'message',
  'ip',
  'remoteAddress',
  'clientSecret',
  'rawBody',
  'data',
] as const;

const HIDDEN_PATHS = HIDDEN.flatMap((name) => [`*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);
const HIDDEN_AT_TOP = HIDDEN.filter((name) => name !== 'name');

interface LoggedError {
  readonly type: string;
  readonly code?: unknown;
  readonly text: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
const DEEPEST_CAUSE = 4;
/** At most 320 characters before `@`, to avoid quadratic time. */
const VALUES = /"[^"]*"|'[^']*'|`[^`]*`|[^\s@<>]{1,320}@[^\s@<>]+|\b[\w-]{24,}\b/g;

const withoutValues = (text: string): string => text.replace(VALUES, '[…]').slice(0, 500);

const plainError = (error: unknown, depth = 0): LoggedError => {
  if (!(error instanceof Error)) return { type: typeof error, text: 'not an error' };
  const code = 'code' in error ? error.code : undefined;
  const ofDatabase = typeof code === 'string' && SQLSTATE.test(code);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    text: ofDatabase ? '[database]' : withoutValues(error.message),
    ...(frames ? { stack: frames.join('\n') } : {}),
    ...(error.cause !== undefined && depth < DEEPEST_CAUSE
      ? { cause: plainError(error.cause, depth + 1) }
      : {}),
  };
};

export const createLogger = (
  options: { name: string; level: string },
  destination?: DestinationStream,
): Logger => {
  const settings = {
    name: options.name,
    level: options.level,
    base: { name: options.name },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...HIDDEN_AT_TOP, ...HIDDEN_PATHS], censor: '[hidden]' },
    serializers: {
      ...stdSerializers,
      err: (error: unknown) => plainError(error),
      error: (error: unknown) => plainError(error),
      req: () => undefined,
      res: () => undefined,
    },
  };
  return destination ? pino(settings, destination) : pino(settings);
};
