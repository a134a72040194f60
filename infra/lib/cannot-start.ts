import { isOutage } from './postgres-outage.ts';

/**
 * Thrown when a program can't start, or can't do what it was asked, and the person who started it can help. The message says
 * what is wrong and what to do; it is shown without a stack. Any other error is a defect, and is shown with its stack.
 */
export class CannotStart extends Error {
  override readonly name: string = 'CannotStart';
}

/** The message of an error. An `AggregateError`, as of a connection tried at several addresses, may have none: its first error's is taken. */
export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.message) return error.message;
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first === undefined ? error.name : wordsOf(first);
};

/** Whether the operating system refused something, such as writing to a folder or to a full disk. Its message says what. */
const isRefusedByMachine = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && 'syscall' in error;

/** An error, in words for whoever can mend it where the machine did not let the data folder be written. */
export const asUnwritable = (dataDir: string, cause: unknown): unknown =>
  isRefusedByMachine(cause)
    ? new CannotStart(`The data folder ${dataDir} can't be written: ${wordsOf(cause)}. See DATA_DIR.`, {
        cause,
      })
    : cause;

/** The text to print when a program fails: one line if the user can help, the whole stack for a defect. */
export const tellFailure = (error: unknown): string => {
  if (error instanceof CannotStart || isRefusedByMachine(error)) return wordsOf(error);
  if (isOutage(error)) return `PostgreSQL: ${wordsOf(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
