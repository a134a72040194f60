/** Processor time of processes, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const TICK = 10;

const fieldsOf = (stat: string): readonly string[] => {
  const text = readFileSync(stat, 'utf8');
  // The second field is the program's name in brackets; the third, the state, comes after the last bracket.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** Milliseconds of processor that a process has used so far: its first thread, where its event loop runs, and its others. */
export const spentBy = (pid: number): { readonly loop: number; readonly others: number } => {
  const timeOf = (stat: string): number => {
    const fields = fieldsOf(stat);
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  };
  const loop = timeOf(`/proc/${pid}/task/${pid}/stat`);
  return { loop, others: timeOf(`/proc/${pid}/stat`) - loop };
};

/** Milliseconds of processor that a process and its children have used so far, those that have ended included. */
export const spentByFamily = (pid: number): number => {
  const timeOf = (fields: readonly string[], from: number, to: number): number =>
    fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK;
  let spent = timeOf(fieldsOf(`/proc/${pid}/stat`), 11, 15);
  for (const one of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = fieldsOf(`/proc/${one}/stat`);
      if (Number(fields[1]) === pid) spent += timeOf(fields, 11, 13);
    } catch {
      // It has ended since it was listed, and counts with its parent.
    }
  }
  return spent;
};
