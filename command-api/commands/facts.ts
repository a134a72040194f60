import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type EventLog, type NewEvent, OutcomeUnknown, type Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { uuidFrom } from '#infra/ids/ids.ts';
import type { GroupCommit } from './group-commit.ts';
import type { CommandMetrics } from './metrics.ts';

/** No decider reads their state. */
const UNDECIDED = /^(access|reads)-/;
/** Events searched after a lost reply: others may have appended since. */
const LOOK_BACK = 200;

/** `patience`: milliseconds of retries. */
export interface Facts {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly commits: GroupCommit;
  readonly patience: number;
  readonly metrics: CommandMetrics;
}

/** After a lost reply, appends the same bytes again only if the stream lacks them. */
export const appendFacts = async (
  { log, codec, commits, patience, metrics }: Facts,
  stream: string,
  events: readonly DomainEvent[],
  context: Context,
): Promise<{ readonly revision: number; readonly position: Position }> => {
  if (!UNDECIDED.test(stream) || events.length === 0)
    throw new TypeError(`${stream} takes events by decision only, or there are none`);
  const meta = await codec.encodeMeta(context);
  const encoded: NewEvent[] = [];
  for (const [index, event] of events.entries()) {
    const id = uuidFrom(`${context.commandId}/${stream}/${event.type}/${index}`);
    encoded.push(await codec.encode(event, id, stream, context, meta));
  }
  const bytes = encoded.reduce(
    (sum, event) => sum + Buffer.byteLength(event.data) + Buffer.byteLength(event.meta),
    0,
  );
  const lastId = encoded.at(-1)?.id;
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      const result = await commits.append({ stream, expected: 'any', events: encoded }, bytes);
      if (result.ok) return { revision: result.revision, position: result.position };
      throw new Error(`The log refused an unconditional append to ${stream}`);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || performance.now() > deadline) throw error;
    }
    await pause(Math.random() * 50);
    try {
      for await (const record of log.readStream(stream, { backwards: true, limit: LOOK_BACK }))
        if (record.id === lastId) return { revision: record.revision, position: record.position };
    } catch (error) {
      if (performance.now() > deadline) throw error;
      metrics.readFailed(error);
    }
  }
};
