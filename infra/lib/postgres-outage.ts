/** Tells a database that is away for the moment from a query that was wrong. */

/**
 * Connection exceptions, a server that starts, stops or was crashed, that takes no changes (a replica, after a failover), or has no disk,
 * memory or connection left; and what the socket says.
 */
const CODES = /^(08...|57P0[1-5]|25006|53[123]00|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT)$/;

/** What `pg` and its pool say without any code when a connection breaks under a query, or none comes in time. */
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

/** Read models that no projector has made yet, on a site that is just being set up or restored. */
const isUnprojected = (error: unknown, code: string): boolean =>
  code === '42P01' && error instanceof Error && error.message.startsWith('relation "read.');

/** Whether PostgreSQL can't be reached, is starting or going down, takes no changes, or has nothing left to work with, or there are no read models yet: it passes. */
export const isOutage = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string')
    return CODES.test(error.code) || isUnprojected(error, error.code);
  return error instanceof Error && MESSAGES.has(error.message);
};
