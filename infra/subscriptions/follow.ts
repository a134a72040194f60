import type { Batch, EventLog, Position } from '#infra/event-log/event-log.ts';
import { pause } from '#infra/lib/outage.ts';

/** What a reader reads, and how fast. */
export interface Reading {
  readonly pageSize?: number;
  types?(): readonly string[];
  /** Events of these types end their batch; `types` is then called again. */
  readonly changesTypes?: ReadonlySet<string>;
  /** How long the position of batches without events is held back, in milliseconds. Default: each is handed over at once. */
  readonly emptyEvery?: number;
  /** The rest after a batch at the end of the log, in milliseconds: a few large batches cost less than many small ones. Default: none. */
  rest?(batch: Batch, took: number): number;
  /** Before the end of the log: if others appended during a batch, the reader rests so many times as long as the batch took. Default: no rest. */
  readonly yields?: number;
}

export interface FollowOptions extends Reading {
  readonly log: EventLog;
  readonly from: Position;
  readonly signal: AbortSignal;
  /** Resolves to false if another process has taken over; following then ends. */
  handle(batch: Batch, from: Position): Promise<boolean>;
}

/** A batch up to its first event of some types, if it has one. */
const cutAfter = (batch: Batch, types: ReadonlySet<string> | undefined): Batch => {
  const index = batch.events.findIndex(({ type }) => types?.has(type));
  const last = batch.events[index];
  return last ? { ...batch, events: batch.events.slice(0, index + 1), position: last.position } : batch;
};

export const follow = async (options: FollowOptions): Promise<void> => {
  const { log, signal, pageSize, changesTypes, emptyEvery, yields } = options;
  let { from } = options;

  const handle = async (batch: Batch): Promise<boolean> => {
    const began = performance.now();
    const head = yields === undefined || batch.live ? undefined : await log.head();
    if (!(await options.handle(batch, from))) return false;
    from = batch.position;
    const took = performance.now() - began;
    let rest = 0;
    if (batch.live) rest = options.rest?.(batch, took) ?? 0;
    else if (yields !== undefined && head !== (await log.head())) rest = yields * took;
    if (rest > 0) await pause(rest, signal);
    return true;
  };

  /** Follows with one choice of types. Resolves to whether to go on with another. */
  const followTypes = async (types: readonly string[] | undefined): Promise<boolean> => {
    const batches = log
      .subscribe(from, { signal, pageSize, ...(types && { filter: { types } }) })
      [Symbol.asyncIterator]();
    /** The end of the empty batches that are held back, and when it is handed over. */
    let held: { readonly position: Position; readonly due: Promise<void> } | undefined;
    let next = batches.next();
    for (;;) {
      const got = await (held ? Promise.race([next, held.due]) : next);
      if (got?.done || signal.aborted) return false;
      const batch = cutAfter(
        got?.value ?? { events: [], position: held?.position ?? from, live: true },
        changesTypes,
      );
      const last = batch.events.at(-1);
      if (got && !last && emptyEvery !== undefined) {
        held = { position: batch.position, due: held?.due ?? pause(emptyEvery, signal) };
      } else {
        if (!(await handle(batch))) return false;
        held = undefined;
      }
      if (last && changesTypes?.has(last.type)) {
        await batches.return?.();
        return true;
      }
      if (got) next = batches.next();
    }
  };

  while (!signal.aborted && (await followTypes(options.types?.())));
};
