import {
  type Append,
  type AppendResult,
  type EventLog,
  LogUnavailable,
  OutcomeUnknown,
} from '#infra/event-log/event-log.ts';
import { logWith } from './log-with.ts';

/**
 * What goes wrong with one append call. `late`: the reply is lost, and the events come to stand only before the next call.
 * `tailless`: refused as a conflict, without what it met.
 */
export type Fault = 'fine' | 'lost-after' | 'lost-before' | 'late' | 'unavailable' | 'tailless';

/** A log whose append calls go wrong as told, one fault a call; when there are none left, all is fine. */
export const withFaults = (log: EventLog, faults: Fault[]): EventLog & { calls: (readonly Append[])[] } => {
  const late: (readonly Append[])[] = [];
  const calls: (readonly Append[])[] = [];
  const append = async (batch: readonly Append[]): Promise<readonly AppendResult[]> => {
    calls.push(batch);
    for (const delayed of late.splice(0)) await log.append(delayed);
    const fault = faults.shift() ?? 'fine';
    if (fault === 'unavailable') throw new LogUnavailable('told to be unavailable');
    if (fault === 'tailless') return batch.map(() => ({ ok: false, tail: [] }));
    if (fault === 'late') late.push(batch);
    const results = fault === 'fine' || fault === 'lost-after' ? await log.append(batch) : [];
    if (fault !== 'fine') throw new OutcomeUnknown('told to lose the reply');
    return results;
  };
  return logWith(log, { calls, append });
};
