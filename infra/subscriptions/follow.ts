/** Reads the log from a position on, batch by batch, at the pace of the reader. */
import type { Batch, EventLog, Position } from '#infra/event-log/event-log.ts';
import { pause } from '#infra/lib/outage.ts';

/** How long a reader rests after a batch, so that it costs others less. All in milliseconds. */
export interface Pace {
  /** The rest at the end of the log: a few large batches cost less than many small ones. Default: none. */
  rest?(batch: Batch, took: number): number;
  /** Before the end of the log: if others appended during a batch, the reader rests so many times as long as the batch took. */
  readonly yields?: number;
}

export interface FollowOptions extends Pace {
  readonly log: EventLog;
  readonly from: Position;
  readonly signal: AbortSignal;
  /** Events a batch, at the most. Default 1,000. */
  readonly pageSize?: number;
  /** The types to read. Default: all. */
  types?(): readonly string[];
  /** Events of these types change `types`: each ends its batch, and `types` is asked again. */
  readonly changesTypes?: ReadonlySet<string>;
  /** When batches without events are handed over. Default: at once. */
  readonly empty?: {
    /** At the latest so many milliseconds after the last batch that was handed over, once the next one comes. */
    readonly longest: number;
    /** Or once no batch has come for so many milliseconds. */
    readonly idle?: number;
  };
  /** Handles a batch after `from`. Resolves to false if another process does that now: then following ends. */
  handle(batch: Batch, from: Position): Promise<boolean>;
  /** Called after each batch that was read, or handled. */
  progressed?(): void;
}

/** Up to the first event of these types, if there is one. */
const cutAfter = (batch: Batch, types: ReadonlySet<string> | undefined): Batch => {
  const index = types ? batch.events.findIndex(({ type }) => types.has(type)) : -1;
  const last = batch.events[index];
  return last ? { ...batch, events: batch.events.slice(0, index + 1), position: last.position } : batch;
};

/** Follows the log until the signal aborts, or `handle` resolves to false. */
export const follow = async (options: FollowOptions): Promise<void> => {
  const { log, signal, pageSize, changesTypes, empty, yields } = options;
  let { from } = options;

  const handle = async (batch: Batch): Promise<boolean> => {
    const began = performance.now();
    const head = yields === undefined || batch.live ? undefined : await log.head();
    if (!(await options.handle(batch, from))) return false;
    from = batch.position;
    options.progressed?.();
    const took = performance.now() - began;
    let rest = 0;
    if (batch.live) rest = options.rest?.(batch, took) ?? 0;
    else if (yields !== undefined && head !== (await log.head())) rest = yields * took;
    if (rest > 0) await pause(rest, signal);
    return true;
  };

  while (!signal.aborted) {
    const types = options.types?.();
    const batches = log
      .subscribe(from, { signal, pageSize, ...(types && { filter: { types } }) })
      [Symbol.asyncIterator]();
    /** The end of what was read. Beyond `from` there are only empty batches that were not handed over. */
    let read = from;
    let handled = performance.now();
    let next = batches.next();
    for (;;) {
      const waits = read === from || empty?.idle === undefined;
      const got = await (waits ? next : Promise.race([next, pause(empty.idle, signal)]));
      if (got?.done || signal.aborted) return;
      const batch = cutAfter(got?.value ?? { events: [], position: read, live: true }, changesTypes);
      if (got && empty && batch.events.length === 0 && performance.now() - handled < empty.longest) {
        read = batch.position;
        options.progressed?.();
      } else {
        if (!(await handle(batch))) return;
        read = from;
        handled = performance.now();
      }
      if (changesTypes?.has(batch.events.at(-1)?.type ?? '')) {
        await batches.return?.();
        break;
      }
      if (got) next = batches.next();
    }
  }
};
