import { auditCalls, type LogEntry, type LogNews } from '#domain/contracts/audit.ts';
import type { Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { App } from '#infra/http/server.ts';
import { pause } from '#infra/lib/outage.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { entryOf, passesFilter } from '#query-api/queries/log.ts';
import { socketRoute } from './socket.ts';

/** Milliseconds. */
const PACE = 250;
const MOST = 50;

/** Milliseconds. */
const AGAIN_AFTER = 1_000;

const followTail = ({ log }: QueryContext, onError: (error: unknown) => void) => {
  const listeners = new Set<(record: RecordedEvent) => void>();
  let following: { readonly end: AbortController; readonly begun: Promise<void> } | undefined;

  const follow = async (signal: AbortSignal, begun: () => void): Promise<void> => {
    let position: Position | undefined;
    while (!signal.aborted) {
      try {
        position ??= await log.head();
        begun();
        for await (const batch of log.subscribe(position, { signal })) {
          for (const record of batch.events) for (const listener of listeners) listener(record);
          position = batch.position;
        }
      } catch (error) {
        onError(error);
        await pause(AGAIN_AFTER, signal);
      }
    }
  };
  const start = () => {
    const end = new AbortController();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    follow(end.signal, resolve);
    return { end, begun };
  };
  return (listener: (record: RecordedEvent) => void) => {
    listeners.add(listener);
    following ??= start();
    const stop = (): void => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      following?.end.abort();
      following = undefined;
    };
    return { begun: following.begun, stop };
  };
};

export const logTailRoutes = (app: App, context: QueryContext): void => {
  const hear = followTail(context, (error) => app.log.warn({ err: error }, 'the live tail of the log broke'));
  socketRoute(app, context, auditCalls.live, ({ query }, tell) => {
    const passes = passesFilter(query);
    let entries: LogEntry[] = [];
    let skipped = 0;
    let timer: NodeJS.Timeout | undefined;
    const flush = (): void => {
      timer = undefined;
      const told = tell({ entries, skipped } satisfies LogNews);
      skipped = told ? 0 : skipped + entries.length;
      entries = [];
    };
    const { begun, stop } = hear((record) => {
      if (!passes(record)) return;
      if (entries.length < MOST) entries.push(entryOf(record));
      else skipped += 1;
      timer ??= setTimeout(flush, PACE);
    });
    begun.then(() => tell({ entries: [], skipped: 0 } satisfies LogNews));
    return () => {
      clearTimeout(timer);
      stop();
    };
  });
};
