import { randomUUID } from 'node:crypto';
import type { EventLog } from './event-log.ts';

/**
 * Resolves if the log takes appends, without writing any: it is asked for one that follows an event which no log has. Whoever
 * refuses that would have taken another one. @throws LogUnavailable, OutcomeUnknown
 */
export const takesAppends = async (log: Pick<EventLog, 'append'>): Promise<void> => {
  const event = { id: randomUUID(), type: 'NeverAppended', version: 1, data: '{}', meta: '{}' };
  await log.append([{ stream: 'readiness', expected: 0, events: [event] }]);
};
