import type { EventLog } from '#infra/event-log/event-log.ts';

/** A log that does some things in another way than the given one, and the rest as that does. */
export const logWith = <Changes extends Partial<EventLog>>(log: EventLog, changes: Changes) => ({
  id: log.id,
  append: (...asked: Parameters<EventLog['append']>) => log.append(...asked),
  readStream: (...asked: Parameters<EventLog['readStream']>) => log.readStream(...asked),
  readEach: (...asked: Parameters<EventLog['readEach']>) => log.readEach(...asked),
  readAll: (...asked: Parameters<EventLog['readAll']>) => log.readAll(...asked),
  subscribe: (...asked: Parameters<EventLog['subscribe']>) => log.subscribe(...asked),
  head: () => log.head(),
  get heard() {
    return log.heard;
  },
  close: () => log.close(),
  ...changes,
});
