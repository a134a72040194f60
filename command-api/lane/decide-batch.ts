import { type DomainEvent, isRejection, type Rejection, reject } from '#domain/decider.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { EventTooLarge, LARGEST_EVENT, type NewEvent } from '#infra/event-log/event-log.ts';
import { uuidFrom } from '#infra/ids/uuid.ts';
import { SubjectErased } from '#infra/keys/key-store.ts';
import type { StreamState } from './stream-state.ts';
import type { Waiting } from './waiting.ts';

/** A command that has something to record. */
export interface Accepted {
  readonly waiting: Waiting;
  readonly events: readonly DomainEvent[];
  /** After it. */
  readonly state: unknown;
  /** Its last event's place if the append stands. */
  readonly revision: number;
  readonly lastId: string;
}

/** A caller that gets an answer without an event: it counts only if the state it rests on is confirmed. */
export interface Unrecorded {
  readonly waiting: Waiting;
  readonly rejection: Rejection | null;
}

/** What came of one pass over the callers of one stream. */
export interface Decided {
  readonly accepted: readonly Accepted[];
  readonly unrecorded: readonly Unrecorded[];
  readonly newEvents: readonly NewEvent[];
  readonly bytes: number;
  /** After all of them. */
  readonly state: unknown;
  /** How many callers were looked at: fewer than there are when the batch is full. */
  readonly seen: number;
}

const sizeOf = (event: NewEvent): number => Buffer.byteLength(event.data) + Buffer.byteLength(event.meta);

/**
 * Decides each caller's command on the state that those before it leave behind. An error or a destroyed key is that
 * caller's alone: it is answered here, and the next one is decided as if it had not been there.
 */
export const decideBatch = async (
  line: StreamState,
  callers: readonly Waiting[],
  codec: Codec,
  mostBytes: number,
): Promise<Decided> => {
  const { aggregate, stream } = line;
  const accepted: Accepted[] = [];
  const unrecorded: Unrecorded[] = [];
  const newEvents: NewEvent[] = [];
  let { state, revision } = line;
  let bytes = 0;
  let seen = 0;

  for (const waiting of callers) {
    if (bytes > mostBytes) break;
    seen++;
    const { context } = waiting;
    if (!context) {
      unrecorded.push({ waiting, rejection: null });
      continue;
    }
    try {
      const decision = aggregate.decide(state, waiting.command);
      if (isRejection(decision)) {
        unrecorded.push({ waiting, rejection: decision });
        continue;
      }
      if (decision.length === 0) {
        unrecorded.push({ waiting, rejection: null });
        continue;
      }
      if (waiting.meta === undefined) {
        const meta = codec.encodeMeta(context);
        waiting.meta = typeof meta === 'string' ? meta : await meta;
      }
      const { meta } = waiting;
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
      accepted.push({ waiting, events: decision, state, revision, lastId: encoded.at(-1)?.id ?? '' });
    } catch (error) {
      if (error instanceof SubjectErased) waiting.settle({ ok: false, rejection: reject('ERASED') });
      else waiting.fail(error);
    }
  }
  return { accepted, unrecorded, newEvents, bytes, state, seen };
};
