const CODES = /^(08...|57P0[1-5]|25006|53[123]00|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT)$/;

const MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Query read timeout',
]);

const isUnprojected = (error: unknown, code: string): boolean =>
  code === '42P01' && error instanceof Error && error.message.startsWith('relation "read.');

export const isOutage = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string')
    return CODES.test(error.code) || isUnprojected(error, error.code);
  return error instanceof Error && MESSAGES.has(error.message);
};
