import { aggregateOf } from '#domain/aggregates.ts';
import type { StateChange } from '#domain/contracts/audit.ts';
import { type Codec, isUnreadable } from '#infra/event-log/codec.ts';
import type { EventLog, RecordedEvent } from '#infra/event-log/event-log.ts';

/** Events; longer streams are not folded for readers. */
const MOST_FOLDED = 50_000;
const PAGE = 500;

const entriesOf = (value: unknown): Map<string, unknown> | undefined => {
  if (typeof value !== 'object' || value === null || 'erased' in value) return undefined;
  if (Array.isArray(value)) return new Map(value.map((item, index) => [String(index), item]));
  if ('entries' in value && typeof value.entries === 'function') {
    const entries: Iterable<readonly [unknown, unknown]> = value.entries();
    return new Map(Array.from(entries, ([key, item]) => [String(key), item]));
  }
  return new Map(Object.entries(value));
};

const MOST_SHOWN = 200;

export const shownState = (value: unknown): unknown => {
  const entries = entriesOf(value);
  if (!entries) return value;
  const shown = [...entries].slice(0, MOST_SHOWN).map(([key, item]) => [key, shownState(item)] as const);
  if (entries.size > MOST_SHOWN) shown.push(['…', `${entries.size - MOST_SHOWN} more`]);
  return Array.isArray(value) ? shown.map(([, item]) => item) : Object.fromEntries(shown);
};

const entriesIn = (value: unknown, other: unknown): Map<string, unknown> | undefined =>
  (value === undefined || value === null) && entriesOf(other)?.size ? new Map() : entriesOf(value);

export const differencesOf = (
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly StateChange[] => {
  if (Object.is(before, after)) return [];
  const [left, right] = [entriesIn(before, after), entriesIn(after, before)];
  if (!left || !right) {
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [
      { path: [...path], ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
    ];
  }
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    differencesOf(left.get(key), right.get(key), [...path, key]),
  );
};

export const statesAround = async (
  log: EventLog,
  codec: Codec,
  { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>,
): Promise<{ readonly before: unknown; readonly after: unknown } | undefined> => {
  const aggregate = aggregateOf(stream);
  if (!aggregate || revision > MOST_FOLDED) return undefined;
  let before: unknown = aggregate.initial;
  let after: unknown = aggregate.initial;
  let page: RecordedEvent[] = [];
  const take = async (): Promise<void> => {
    for (const { event, meta } of await codec.decode(page, { masked: true })) {
      before = after;
      after = aggregate.evolve(before, event, meta.at);
    }
    page = [];
  };
  try {
    for await (const record of log.readStream(stream, { limit: revision + 1 })) {
      page.push(record);
      if (page.length === PAGE) await take();
    }
    await take();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
  return { before, after };
};
