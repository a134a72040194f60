import { randomUUID } from 'node:crypto';
import type { EventLog } from './event-log.ts';

/**
 * Writes nothing: appends with an impossible revision and expects a conflict.
 * @throws LogUnavailable, OutcomeUnknown
 */
export const takesAppends = async (log: Pick<EventLog, 'append'>): Promise<void> => {
  const event = { id: randomUUID(), type: 'NeverAppended', version: 1, data: '{}', meta: '{}' };
  await log.append([{ stream: 'readiness', expected: 0, events: [event] }]);
};
