/**
 * Logs: pino, one JSON line each, with correlation ids. Secrets and personal data never reach a line: known
 * names are cut out wherever they stand, errors keep their type, code and stack but lose what a database or a
 * provider adds to them, and requests are known by their route (`infra/http/request-log.ts`).
 */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

/** Names whose values are cut out, at the top of a line and up to three levels below. */
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
 * What a value in a message may look like: quoted text, an e-mail address, something long and random. The address is bounded, or a
 * long text without one would be searched from each of its characters to its end.
 */
const VALUES = /"[^"]*"|'[^']*'|`[^`]*`|[^\s@<>]{1,320}@[^\s@<>]+|\b[\w-]{24,}\b/g;

const withoutValues = (text: string): string => text.replace(VALUES, '[…]').slice(0, 500);

/** Keeps where an error came from, not what it was about: messages of databases and validators quote their input. */
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
 * Makes the process's logger.
 * @param name of the process, on every line
 * @param destination where lines go; default: standard output
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

/** A logger that says nothing, for specs. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
