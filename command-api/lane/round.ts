import { setTimeout as pause } from 'node:timers/promises';
import { type Conflict, OutcomeUnknown, type RecordedEvent } from '#infra/event-log/event-log.ts';
import { type Accepted, type Decided, decideBatch } from './decide-batch.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Source, StreamState } from './stream-state.ts';
import { Busy, type Waiting } from './waiting.ts';

export interface RoundOptions {
  readonly source: Source;
  readonly commits: GroupCommit;
  /** The number of the last arrival, over all streams. */
  readonly arrivals: () => number;
  /** Bytes of one stream's batch after which no further command is decided. */
  readonly mostBytes: number;
  /** Milliseconds for which conflicts and lost replies are met by trying again. */
  readonly patience: number;
}

/** Grows with each try: two processes that meet on one stream must not stay in step. */
const jitter = (attempt: number): number => Math.random() * Math.min(50, 2 ** attempt);

/**
 * Serves callers of one stream: decides them, appends what came out, and answers each. Whoever didn't fit comes back.
 * @returns callers that were not decided, in their order
 */
export const playRound = async (
  line: StreamState,
  callers: readonly Waiting[],
  options: RoundOptions,
): Promise<readonly Waiting[]> => {
  const { source, commits, arrivals, mostBytes, patience } = options;
  let pending = callers;
  let left: readonly Waiting[] = [];
  let deadline = 0;
  let attempt = 0;
  /** What may or may not have been appended: as long as the stream looks the same, the same bytes are tried again. */
  let unsure: Decided | undefined;

  /** Whoever had a reply lost, and whose events were read now, is answered. */
  const answerFound = (records: readonly RecordedEvent[]): void => {
    if (!pending.some((waiting) => waiting.attempts)) return;
    const byId = new Map(records.map((record) => [record.id, record]));
    pending = pending.filter((waiting) => {
      for (const { lastId, events } of waiting.attempts ?? []) {
        const record = byId.get(lastId);
        if (!record) continue;
        const { revision, position } = record;
        waiting.settle({ ok: true, state: line.state, events, revision, position });
        return false;
      }
      return true;
    });
  };

  const takeTail = async ({ tail }: Conflict, asked: number): Promise<void> => {
    source.metrics.conflict(line.aggregate.name);
    const before = line.revision;
    await line.fold(source.codec, tail);
    // A conflict without anything new: what is known here is not this log's history.
    if (line.revision === before) line.reset();
    else line.checkedAt = asked;
    answerFound(tail);
  };

  const settle = (decided: Decided): void => {
    const { state, revision, position } = line;
    for (const { waiting, rejection } of decided.unrecorded) {
      if (rejection) waiting.settle({ ok: false, rejection });
      else waiting.settle({ ok: true, state, events: [], revision, position });
    }
    for (const { waiting, events, state: after, revision: own } of decided.accepted)
      waiting.settle({ ok: true, state: after, events, revision: own, position });
  };

  try {
    // What has snapshots is long, and a caller who only reads wants the log's word: no guess for them.
    if (!line.known && (line.aggregate.snapshot || callers.every((waiting) => !waiting.context)))
      await line.refresh(source, arrivals());

    while (pending.length > 0) {
      const decided: Decided = unsure ?? (await decideBatch(line, pending, source.codec, mostBytes));
      unsure = undefined;
      if (decided.seen < pending.length) {
        left = [...pending.slice(decided.seen), ...left];
        pending = pending.slice(0, decided.seen);
      }
      const { newEvents, accepted, unrecorded } = decided;
      if (newEvents.length === 0) {
        if (unrecorded.every(({ waiting }) => waiting.arrived <= line.checkedAt)) {
          source.metrics.round(pending.length, 0);
          settle(decided);
          return left;
        }
        pending = unrecorded.map(({ waiting }) => waiting);
        if (await line.refresh(source, arrivals())) continue;
        source.metrics.round(pending.length, 0);
        settle(decided);
        return left;
      }

      const { stream, revision } = line;
      const asked = arrivals();
      try {
        const expected = revision < 0 ? 'none' : revision;
        const result = await commits.append({ stream, expected, events: newEvents }, decided.bytes);
        if (result.ok) {
          source.metrics.round(pending.length, newEvents.length);
          line.advance(decided.state, result.revision, result.position);
          line.checkedAt = asked;
          line.snapshotIfDue(source);
          settle(decided);
          return left;
        }
        // Those who were answered while deciding (an error, a destroyed key) are not asked again.
        pending = inOrder(accepted, unrecorded);
        await takeTail(result, asked);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error;
        source.metrics.outcomeUnknown();
        pending = inOrder(accepted, unrecorded);
        for (const { waiting, lastId, events } of accepted)
          waiting.attempts = [...(waiting.attempts ?? []), { lastId, events }];
        deadline ||= performance.now() + patience;
        await readAgain(error);
        if (line.revision === revision) unsure = decided;
      }

      deadline ||= performance.now() + patience;
      if (performance.now() > deadline) {
        source.metrics.busy('conflicts', pending.length);
        giveUp(pending);
        return left;
      }
      if (attempt++ > 0) await pause(jitter(attempt));
    }
    return left;
  } catch (error) {
    for (const waiting of pending) waiting.fail(waiting.attempts ? stillUnknown(error) : error);
    return left;
  }

  async function readAgain(lost: OutcomeUnknown): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await line.refresh(source, arrivals(), answerFound);
        return;
      } catch (error) {
        // The store that lost the reply is likely down: it has until the deadline to come back.
        if (performance.now() > deadline) throw lost;
        source.metrics.readFailed(error);
        await pause(jitter(5 + tries));
      }
    }
  }
};

/** As they arrived. */
const inOrder = (accepted: readonly Accepted[], unrecorded: Decided['unrecorded']): readonly Waiting[] =>
  [...accepted, ...unrecorded].map(({ waiting }) => waiting).sort((a, b) => a.arrived - b.arrived);

/** A command whose reply was once lost may yet come to stand, so its caller is not told that nothing happened. */
const stillUnknown = (cause: unknown): OutcomeUnknown =>
  cause instanceof OutcomeUnknown
    ? cause
    : new OutcomeUnknown('The reply was lost, and it could not be found out', { cause });

const giveUp = (pending: readonly Waiting[]): void => {
  const busy = new Busy('The stream did not come to rest');
  for (const waiting of pending) waiting.fail(waiting.attempts ? stillUnknown(busy) : busy);
};
