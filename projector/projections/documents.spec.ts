import { describe, expect, it } from 'vitest';
import { allEvents } from '#domain/all-events.ts';
import type { Aggregate, AnyAggregate } from '#domain/kernel/decider.ts';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Applied } from '#projector/engine/projection.ts';
import { documentRows, documents } from './documents.ts';

interface Note {
  readonly text: string;
  readonly at: string;
}
const events = {
  NoteWritten: defineEvent<{ text: string }>()({ audit: null, work: false }),
  NoteTorn: defineEvent<object>()({ audit: null, work: false }),
};
type NoteEvent = EventOf<typeof events>;

const note: Aggregate<Note | null, never, NoteEvent> = {
  name: 'side-note',
  document: { images: ({ text }) => text.match(/\/images\/\S+/g) ?? [] },
  initial: null,
  evolve: (_, event, at) => (event.type === 'NoteWritten' ? { text: event.data.text, at } : null),
  decide: () => [],
};
const AT = '2026-12-04T19:30:00.000Z';
const rows = documentRows([{ aggregate: note as AnyAggregate, events }]);
const applied = (given: NoteEvent) =>
  ({ event: given, stream: 'side-note-7f-1', meta: { at: AT } }) as Applied;

describe('the rows of small aggregates', () => {
  it('follow from the aggregates’ own events alone', () => {
    expect(rows.types).toEqual(['NoteWritten', 'NoteTorn']);
    expect(rows.keys(applied({ type: 'NoteTorn', data: {} }))).toEqual([['side-note', '7f-1']]);
  });

  it('equal the aggregates’ states, including the images that these use', () => {
    const written = applied({ type: 'NoteWritten', data: { text: 'As on /images/a.webp' } });
    const row = rows.fold(undefined, written, ['side-note', '7f-1']);
    expect(row).toEqual({
      aggregate: 'side-note',
      id: '7f-1',
      state: { text: 'As on /images/a.webp', at: AT },
      images: ['/images/a.webp'],
    });
    expect(rows.fold(row, applied({ type: 'NoteTorn', data: {} }), ['side-note', '7f-1'])).toBeUndefined();
  });

  it('hold nothing that is sealed in the log', () => {
    const types = documents.tables.flatMap((table) => table.types);
    expect(types.filter((type) => allEvents[type]?.sealed.length !== 0)).toEqual([]);
  });
});
