/** One call of `log.append`: its statement, and its parameters. */
import { arrayLiteral, type Scalar, textArray } from '#infra/postgres/array-parameters.ts';
import type { Append, NewEvent } from './event-log.ts';
import { NO_STREAM, WHATEVER } from './postgres-schema.ts';

/** Answers a row an item, as `postgres-schema.ts` says. */
export const APPEND = {
  name: 'log-append',
  text: 'SELECT last_revision, last_position FROM log.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
};

/** Its parameters: parallel arrays of the items, and of all their events. `unchecked`: whatever the streams hold. */
export const appendParameters = (batch: readonly Append[], unchecked: boolean): unknown[] => {
  const code = (expected: Append['expected']): number =>
    expected === 'any' || unchecked ? WHATEVER : expected === 'none' ? NO_STREAM : expected;
  const events: NewEvent[] = [];
  const items: number[] = [];
  const nths: number[] = [];
  for (const [index, item] of batch.entries()) {
    for (const [nth, event] of item.events.entries()) {
      events.push(event);
      items.push(index + 1);
      nths.push(nth + 1);
    }
  }
  const ofBatch = (value: (item: Append) => Scalar) =>
    arrayLiteral(batch.length, (index) => value(batch[index] as Append));
  const ofEvents = (value: (event: NewEvent) => Scalar) =>
    arrayLiteral(events.length, (index) => value(events[index] as NewEvent));
  return [
    textArray(batch.map(({ stream }) => stream)),
    ofBatch(({ expected }) => code(expected)),
    ofBatch((item) => item.events.length),
    `{${items.join(',')}}`,
    `{${nths.join(',')}}`,
    ofEvents(({ id }) => id),
    textArray(events.map(({ type }) => type)),
    ofEvents(({ version }) => version),
    textArray(events.map(({ data }) => data)),
    textArray(events.map(({ meta }) => meta)),
    ofEvents(({ recordedAt }) => recordedAt),
  ];
};
