/**
 * The logger: pino, one JSON object a line, with correlation ids. Secrets and personal data never reach a line. The values of
 * known names are hidden; errors keep their type, code and stack, but not the values that databases and providers quote; requests
 * are logged by their route (`infra/http/request-log.ts`).
 */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

/** Properties whose values are hidden, at the top level and up to three levels below. */
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
/**
 * Parts of a message that may be values: quoted text, an email address, a long random word. The part before `@` is limited to 320
 * characters: without a limit, a long text would be searched to its end from each of its characters.
 */
const VALUES = /"[^"]*"|'[^']*'|`[^`]*`|[^\s@<>]{1,320}@[^\s@<>]+|\b[\w-]{24,}\b/g;

const withoutValues = (text: string): string => text.replace(VALUES, '[…]').slice(0, 500);

/** An error for the log: where it came from, without values. Messages of databases and validators quote their input. */
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

/**
 * Makes the logger of a process.
 * @param options `name` is the process's, on every line; `level` is one of pino's
 * @param destination where lines go. Default: standard output
 */
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
