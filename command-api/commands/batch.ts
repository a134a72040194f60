import { setTimeout as pause } from 'node:timers/promises';
import { type DomainEvent, isRejection, type Rejection, reject } from '#domain/kernel/decider.ts';
import { overwritten } from '#domain/kernel/revision.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import {
  type Conflict,
  EventTooLarge,
  LARGEST_EVENT,
  type NewEvent,
  OutcomeUnknown,
  type RecordedEvent,
} from '#infra/event-log/event-log.ts';
import { uuidFrom } from '#infra/ids/ids.ts';
import { SubjectErased } from '#infra/keys/key-store.ts';
import { Busy } from './acting.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Caller, Source, StreamQueue } from './stream-queue.ts';

export interface BatchOptions {
  readonly source: Source;
  readonly commits: GroupCommit;
  readonly arrivals: () => number;
  readonly mostBytes: number;
  readonly patience: number;
}

interface Accepted {
  readonly caller: Caller;
  readonly events: readonly DomainEvent[];
  readonly state: unknown;
  readonly revision: number;
  readonly lastId: string;
}

interface Unrecorded {
  readonly caller: Caller;
  readonly rejection: Rejection | null;
}

interface Decided {
  readonly accepted: readonly Accepted[];
  readonly unrecorded: readonly Unrecorded[];
  readonly newEvents: readonly NewEvent[];
  readonly bytes: number;
  readonly state: unknown;
  readonly seen: number;
}

const sizeOf = (event: NewEvent): number => Buffer.byteLength(event.data) + Buffer.byteLength(event.meta);

/** A command that throws, or needs a destroyed key, does not affect the others. */
const decideBatch = async (
  queue: StreamQueue,
  callers: readonly Caller[],
  codec: Codec,
  mostBytes: number,
): Promise<Decided> => {
  const { aggregate, stream } = queue;
  const accepted: Accepted[] = [];
  const unrecorded: Unrecorded[] = [];
  const newEvents: NewEvent[] = [];
  let { state, revision } = queue;
  let bytes = 0;
  let seen = 0;

  for (const caller of callers) {
    if (bytes > mostBytes) break;
    seen++;
    const { context } = caller;
    if (!context) {
      unrecorded.push({ caller, rejection: null });
      continue;
    }
    try {
      const decision = aggregate.decide(state, caller.command);
      if (isRejection(decision)) {
        unrecorded.push({ caller, rejection: decision });
        continue;
      }
      if (decision.length === 0) {
        unrecorded.push({ caller, rejection: null });
        continue;
      }
      const { since } = caller;
      if (since !== undefined && aggregate.shown) {
        const next = decision.reduce((before, event) => aggregate.evolve(before, event, context.at), state);
        const changed = overwritten(since, aggregate.shown(state), aggregate.shown(next));
        if (changed.length > 0) {
          unrecorded.push({ caller, rejection: reject('CHANGED_MEANWHILE', { changed }) });
          continue;
        }
      }
      if (caller.meta === undefined) {
        const meta = codec.encodeMeta(context);
        caller.meta = typeof meta === 'string' ? meta : await meta;
      }
      const { meta } = caller;
      let next = state;
      let size = 0;
      const encoded: NewEvent[] = [];
      for (const event of decision) {
        const id = uuidFrom(`${context.commandId}/${stream}/${revision + 1 + encoded.length}`);
        const made = codec.encode(event, id, stream, context, meta);
        const sealed = 'then' in made ? await made : made;
        const length = sizeOf(sealed);
        if (length > LARGEST_EVENT) throw new EventTooLarge(`${event.type} in ${stream} has ${length} bytes`);
        encoded.push(sealed);
        size += length;
        next = aggregate.evolve(next, event, context.at);
      }
      for (const event of encoded) newEvents.push(event);
      revision += encoded.length;
      bytes += size;
      state = next;
      accepted.push({ caller, events: decision, state, revision, lastId: encoded.at(-1)?.id ?? '' });
    } catch (error) {
      if (error instanceof SubjectErased) caller.settle({ ok: false, rejection: reject('ERASED') });
      else caller.fail(error);
    }
  }
  return { accepted, unrecorded, newEvents, bytes, state, seen };
};

/** Milliseconds, random and growing, so that two processes do not keep conflicting. */
const jitter = (tries: number): number => Math.random() * Math.min(50, 2 ** tries);

export const runBatch = async (
  queue: StreamQueue,
  callers: readonly Caller[],
  options: BatchOptions,
): Promise<readonly Caller[]> => {
  const { source, commits, arrivals, mostBytes, patience } = options;
  let pending = callers;
  let left: readonly Caller[] = [];
  let deadline = 0;
  let tries = 0;
  /** The batch whose reply was lost; the same bytes are appended again while the stream has no new events. */
  let unsure: Decided | undefined;

  const answerFound = (records: readonly RecordedEvent[]): void => {
    if (!pending.some((caller) => caller.lost)) return;
    const byId = new Map(records.map((record) => [record.id, record]));
    pending = pending.filter((caller) => {
      for (const { lastId, events } of caller.lost ?? []) {
        const record = byId.get(lastId);
        if (!record) continue;
        const { revision, position } = record;
        caller.settle({ ok: true, state: queue.state, events, revision, position });
        return false;
      }
      return true;
    });
  };

  const takeTail = async ({ tail }: Conflict, asked: number): Promise<void> => {
    source.metrics.conflict();
    const before = queue.revision;
    await queue.fold(source.codec, tail);
    // A conflict without new events: the cached state is not from this log.
    if (queue.revision === before) queue.reset();
    else queue.checkedAt = asked;
    answerFound(tail);
  };

  const settle = (decided: Decided): void => {
    const { state, revision, position } = queue;
    for (const { caller, rejection } of decided.unrecorded) {
      if (rejection) caller.settle({ ok: false, rejection });
      else caller.settle({ ok: true, state, events: [], revision, position });
    }
    for (const { caller, events, state: after, revision: own } of decided.accepted)
      caller.settle({ ok: true, state: after, events, revision: own, position });
  };

  try {
    // Otherwise assume a new stream; the append verifies it. A stream with snapshots probably exists.
    if (!queue.known && (queue.aggregate.snapshot || callers.every((caller) => !caller.context)))
      await queue.refresh(source, arrivals());

    while (pending.length > 0) {
      const decided: Decided = unsure ?? (await decideBatch(queue, pending, source.codec, mostBytes));
      unsure = undefined;
      if (decided.seen < pending.length) {
        left = [...pending.slice(decided.seen), ...left];
        pending = pending.slice(0, decided.seen);
      }
      const { newEvents, accepted, unrecorded } = decided;
      if (newEvents.length === 0) {
        if (unrecorded.every(({ caller }) => caller.arrived <= queue.checkedAt)) {
          settle(decided);
          return left;
        }
        pending = unrecorded.map(({ caller }) => caller);
        if (await queue.refresh(source, arrivals())) continue;
        settle(decided);
        return left;
      }

      const { stream, revision } = queue;
      const asked = arrivals();
      try {
        const expected = revision < 0 ? 'none' : revision;
        const result = await commits.append({ stream, expected, events: newEvents }, decided.bytes);
        if (result.ok) {
          queue.advance(decided.state, result.revision, result.position);
          queue.checkedAt = asked;
          queue.snapshotIfDue(source);
          settle(decided);
          return left;
        }
        pending = inOrder(accepted, unrecorded);
        await takeTail(result, asked);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error;
        pending = inOrder(accepted, unrecorded);
        for (const { caller, lastId, events } of accepted)
          caller.lost = [...(caller.lost ?? []), { lastId, events }];
        deadline ||= performance.now() + patience;
        await readAgain(error);
        if (queue.revision === revision) unsure = decided;
      }

      deadline ||= performance.now() + patience;
      if (performance.now() > deadline) {
        giveUp(pending);
        return left;
      }
      if (tries++ > 0) await pause(jitter(tries));
    }
    return left;
  } catch (error) {
    for (const caller of pending) caller.fail(caller.lost ? stillUnknown(error) : error);
    return left;
  }

  async function readAgain(lost: OutcomeUnknown): Promise<void> {
    for (let reads = 0; ; reads++) {
      try {
        await queue.refresh(source, arrivals(), answerFound);
        return;
      } catch (error) {
        if (performance.now() > deadline) throw lost;
        source.metrics.readFailed(error);
        await pause(jitter(5 + reads));
      }
    }
  }
};

const inOrder = (accepted: readonly Accepted[], unrecorded: Decided['unrecorded']): readonly Caller[] =>
  [...accepted, ...unrecorded].map(({ caller }) => caller).sort((a, b) => a.arrived - b.arrived);

/** The command may have been recorded. */
const stillUnknown = (cause: unknown): OutcomeUnknown =>
  cause instanceof OutcomeUnknown
    ? cause
    : new OutcomeUnknown('The reply was lost, and it could not be found out', { cause });

const giveUp = (pending: readonly Caller[]): void => {
  const busy = new Busy('The stream did not come to rest');
  for (const caller of pending) caller.fail(caller.lost ? stillUnknown(busy) : busy);
};
