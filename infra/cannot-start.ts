/**
 * Why a program can't start (or can't do what it was asked), in words for whoever started it: what is wrong, and what
 * mends it. Only the message is shown; a defect of ours is any other error, and keeps its stack.
 */
export class CannotStart extends Error {
  override readonly name: string = 'CannotStart';
}

/** What went wrong, in one line. An attempt on several addresses fails with an error that has no words of its own. */
export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.message) return error.message;
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first === undefined ? error.name : wordsOf(first);
};

/** Something that the machine refuses, such as a folder that can't be written: its message says what and where. */
const isRefusedByMachine = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && 'syscall' in error && 'path' in error;

/** What to tell whoever started a program that failed: one line for what they can mend, everything for a defect. */
export const tellFailure = (error: unknown): string => {
  if (error instanceof CannotStart || isRefusedByMachine(error)) return wordsOf(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
