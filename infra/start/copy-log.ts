/**
 * Copies ids, streams, revisions, times and bytes; positions are the new store's. Resumes an earlier run,
 * and finally compares both logs.
 */
import { createHash } from 'node:crypto';
import type { Append, EventLog, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import { START } from '#infra/event-log/event-log.ts';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { CannotStart, tellFailure, wordsOf } from '#infra/lib/cannot-start.ts';

const HELP = `Copies an event log from one store to another.

  npm run log:copy -- --from URL --to URL

  --from URL    the log to read: postgres://… or esdb://…
  --to URL      the store to copy into: empty, or left by an earlier run of the same copy
  --verify-only compares the two and copies nothing
  --help        this text

Ids, streams, revisions, times and bytes stay the same, so that proofs of the old log hold for the new one. The new log has
an id and positions of its own: read models are rebuilt from it, and job checkpoints start anew.
Stop the application first: the copy may miss events that are appended to the old log while it runs.
`;

/** EventStoreDB refuses 1 MB including its own framing. */
const BATCH_BYTES = 900_000;
const BATCH_EVENTS = 500;
/** For EventStoreDB, which takes one stream an append. */
const IN_FLIGHT = 256;

/** The target's events are not the source's first. */
export class NotACopy extends CannotStart {
  override readonly name = 'NotACopy';
}

export interface CopyReport {
  readonly copied: number;
  readonly events: number;
  readonly hash: string;
}

export interface CopyOptions {
  readonly say?: Progress;
  readonly verifyOnly?: boolean;
  /** Only for a target that appends a batch in order: PostgreSQL. */
  readonly batched?: boolean;
  /** Default 1; more only for a target opened `inOrder`. */
  readonly inFlight?: number;
}

type Progress = (line: string) => void;

async function* eventsOf(log: EventLog, after: Position = START): AsyncGenerator<RecordedEvent, void> {
  for await (const { events } of log.readAll(after)) yield* events;
}

/** All but the position. Length-prefixed, so that text can't move between fields. */
const digestOf = (event: RecordedEvent): string => {
  const { id, stream, revision, type, version, recordedAt, data, meta } = event;
  const hash = createHash('sha256');
  for (const field of [id, stream, String(revision), type, String(version), recordedAt, meta, data])
    hash.update(`${Buffer.byteLength(field)}:`).update(field);
  return hash.digest('hex');
};

const expectSame = (source: RecordedEvent | undefined, target: RecordedEvent, place: number): void => {
  if (!source || digestOf(source) !== digestOf(target))
    throw new NotACopy(
      `event ${place} of the target (${target.stream} @ ${target.revision}) is not what the source has there`,
    );
};

/** Only adjacent events of one stream: joining others would change the order. */
const toItems = (events: readonly RecordedEvent[]): Append[] => {
  const runs: RecordedEvent[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run?.[0]?.stream === event.stream) run.push(event);
    else runs.push([event]);
  }
  return runs.map((run) => {
    const { stream = '', revision = 0 } = run[0] ?? {};
    return { stream, expected: revision === 0 ? 'none' : revision - 1, events: run };
  });
};

/** Without `batched` one item each, which keeps the order on any store. */
const toBatches = (items: readonly Append[], batched: boolean): Append[][] => {
  if (!batched) return items.map((item) => [item]);
  const batches: Append[][] = [];
  let named = new Set<string>();
  for (const item of items) {
    const batch = batches.at(-1);
    if (!batch || named.has(item.stream)) {
      batches.push([item]);
      named = new Set();
    } else batch.push(item);
    named.add(item.stream);
  }
  return batches;
};

const appendBatch = async (to: EventLog, batch: readonly Append[]): Promise<void> => {
  const results = await to.append(batch);
  const at = results.findIndex(({ ok }) => !ok);
  if (at >= 0) throw new NotACopy(`${batch[at]?.stream} has other events in the target`);
};

class CallsUnderWay {
  readonly #most: number;
  #underWay = 0;
  #failure: { readonly error: unknown } | undefined;
  #ended: () => void = () => undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits for room.
   * @throws the failure of an earlier call
   */
  async add(call: () => Promise<void>): Promise<void> {
    await this.#fewerThan(this.#most);
    this.#underWay += 1;
    call()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#underWay -= 1;
        this.#ended();
      });
  }

  async end(): Promise<void> {
    await this.#fewerThan(1);
  }

  async #fewerThan(calls: number): Promise<void> {
    while (this.#underWay >= calls)
      await new Promise<void>((go) => {
        this.#ended = go;
      });
    if (this.#failure) throw this.#failure.error;
  }
}

/** @throws NotACopy if the target's events are not the source's first */
export const copyLog = async (
  from: EventLog,
  to: EventLog,
  { say = () => undefined, verifyOnly = false, batched = false, inFlight = 1 }: CopyOptions = {},
): Promise<CopyReport> => {
  const began = Date.now();
  const source = eventsOf(from);
  let there = 0;
  for await (const event of eventsOf(to)) {
    there += 1;
    const next = await source.next();
    expectSame(next.done ? undefined : next.value, event, there);
    if (there % 10_000 === 0) say(`${there} events are there already`);
  }
  if (there > 0) say(`going on after ${there} events of an earlier run`);

  let copied = 0;
  let waiting: RecordedEvent[] = [];
  let bytes = 0;
  const line = new CallsUnderWay(inFlight);
  const send = async () => {
    for (const batch of toBatches(toItems(waiting), batched)) await line.add(() => appendBatch(to, batch));
    copied += waiting.length;
    if (copied % 5_000 < waiting.length)
      say(`${there + copied} events, ${Math.round(copied / ((Date.now() - began) / 1_000))} a second`);
    waiting = [];
    bytes = 0;
  };
  for (let next = await source.next(); !next.done && !verifyOnly; next = await source.next()) {
    const size = Buffer.byteLength(next.value.data) + Buffer.byteLength(next.value.meta);
    if (waiting.length >= BATCH_EVENTS || (bytes > 0 && bytes + size > BATCH_BYTES)) await send();
    waiting.push(next.value);
    bytes += size;
  }
  if (waiting.length > 0) await send();
  await line.end();
  say('comparing');
  return { copied, ...(await compareLogs(from, to, say)) };
};

export const compareLogs = async (
  from: EventLog,
  to: EventLog,
  say: Progress = () => undefined,
): Promise<Omit<CopyReport, 'copied'>> => {
  const hash = createHash('sha256');
  const source = eventsOf(from);
  let events = 0;
  for await (const event of eventsOf(to)) {
    events += 1;
    const next = await source.next();
    expectSame(next.done ? undefined : next.value, event, events);
    hash.update(digestOf(event));
    if (events % 20_000 === 0) say(`${events} events are the same`);
  }
  if (!(await source.next()).done)
    throw new NotACopy(`the target ends after ${events} events, the source goes on`);
  return { events, hash: hash.digest('hex') };
};

const main = async (): Promise<void> => {
  const values = argumentsOrExit(HELP, {
    from: { type: 'string' },
    to: { type: 'string' },
    'verify-only': { type: 'boolean' },
  });
  if (!values.from || !values.to) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const opened: EventLog[] = [];
  const open = async (url: string): Promise<EventLog> => {
    const log = await openEventLogAt(url, { inOrder: true }).catch((cause: unknown) => {
      if (cause instanceof CannotStart) throw cause;
      throw new CannotStart(
        `The ${url === values.from ? 'source' : 'target'} can't be opened: ${wordsOf(cause)}`,
        { cause },
      );
    });
    opened.push(log);
    return log;
  };
  try {
    const from = await open(values.from);
    const to = await open(values.to);
    if (from.id === to.id) throw new NotACopy('both addresses lead to the same log');
    const say = (line: string) => console.log(line);
    const { copied, events, hash } = await copyLog(from, to, {
      say,
      verifyOnly: values['verify-only'],
      ...(values.to.startsWith('postgres') ? { batched: true } : { inFlight: IN_FLIGHT }),
    });
    console.log(`${copied} events copied; ${events} are the same in both logs, SHA-256 ${hash}`);
  } finally {
    for (const log of opened) await log.close();
  }
};

if (import.meta.main)
  main().catch((error: unknown) => {
    console.error(tellFailure(error));
    process.exitCode = 1;
  });
