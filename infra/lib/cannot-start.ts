import { isOutage } from './postgres-outage.ts';

/** An error that the operator can fix; printed without a stack. */
export class CannotStart extends Error {
  override readonly name: string = 'CannotStart';
}

export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.message) return error.message;
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first === undefined ? error.name : wordsOf(first);
};

const isRefusedByMachine = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && 'syscall' in error;

export const asUnwritable = (dataDir: string, cause: unknown): unknown =>
  isRefusedByMachine(cause)
    ? new CannotStart(`The data folder ${dataDir} can't be written: ${wordsOf(cause)}. See DATA_DIR.`, {
        cause,
      })
    : cause;

export const tellFailure = (error: unknown): string => {
  if (error instanceof CannotStart || isRefusedByMachine(error)) return wordsOf(error);
  if (isOutage(error)) return `PostgreSQL: ${wordsOf(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
