import type { EventLog } from '#infra/event-log/event-log.ts';
import { logWith } from '#tests/kit/log-with.ts';

/**
 * The control's log: of an inventory a process reads only what was there when it started. What others sell since then it
 * learns from the tail of a conflict alone, so that nothing but the revision check stands between two processes and
 * the same ticket: with the check they sell exactly what there is, without it each sells the whole house. (With reads
 * as they are, a process without the check now and then happens to read the truth, and overselling is a race.)
 */
export const blindToOthers = async (log: EventLog): Promise<EventLog> => {
  const start = await log.head();
  return logWith(log, {
    async *readStream(...[stream, options]: Parameters<EventLog['readStream']>) {
      const blind = stream.startsWith('inventory-');
      for await (const record of log.readStream(stream, options))
        if (!blind || record.position <= start) yield record;
    },
  });
};
