import { describe, expect, it } from 'vitest';
import type { AdmissionEvent } from '#domain/admission/events.ts';
import { type DoorChanges, doorScript, playDoor } from './door.ts';
import type { DoorFigures } from './door-tally.ts';
import type { Past } from './past.ts';

const START = Date.parse('2026-11-20T19:00:00.000Z');
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();
const listingId = 7;
const by = { id: 'sam' };
const scan = (bookingId: number, seconds: number, gate = 'North') => ({
  ...{ bookingId, userId: `u${bookingId}`, listingId, page: 1, gate, by, at: at(seconds) },
});
const happened = (event: AdmissionEvent, seconds: number): Past<AdmissionEvent> => ({
  event,
  at: at(seconds),
});
const admitted = (bookingId: number, seconds: number, gate?: string) =>
  happened({ type: 'Admitted', data: { ...scan(bookingId, seconds, gate), quantity: 2 } }, seconds);

const parties = new Map([1, 2, 3, 4].map((bookingId) => [bookingId, 2]));
const rehearsed = (past: readonly Past<AdmissionEvent>[], changes: DoorChanges = {}): DoorFigures => {
  const last = [...playDoor(doorScript(past, parties), changes)].at(-1);
  if (!last) throw new Error('nothing was played');
  return last.figures();
};

const voided = (bookingId: number): AdmissionEvent => ({
  type: 'AdmissionVoided',
  data: { bookingId, listingId, why: 'cancelled' },
});

/** Two parties come in, one of them tries again, a cancelled one is refused, and one scan is undone. */
const evening = [
  happened(voided(3), -900),
  admitted(1, 0),
  admitted(2, 3, 'South'),
  happened({ type: 'ReEntryRefused', data: scan(1, 30) }, 30),
  happened({ type: 'EntryRefused', data: { ...scan(3, 40), why: 'TICKET_CANCELLED' } }, 40),
  happened({ type: 'EntryRefused', data: { ...scan(4, 70), why: 'TICKET_WRONG_EVENT' } }, 70),
  happened(
    {
      type: 'AdmissionUndone',
      data: { ...scan(2, 90), quantity: 2, scannedAt: at(3), reason: 'the wrong party' },
    },
    90,
  ),
];

describe('an evening at the door rehearsed', () => {
  it('with nothing changed ends as it did', () => {
    const { inFact } = doorScript(evening, parties);
    expect(inFact).toMatchObject({
      ...{ scans: 5, admitted: 2, conflicts: 0 },
      refused: { TICKET_USED: 1, TICKET_CANCELLED: 1, TICKET_WRONG_EVENT: 1 },
      busiest: { at: at(0), count: 4 },
    });
    expect(inFact.gates.map(({ gate, scans, busiest }) => [gate, scans, busiest?.count])).toEqual([
      ['North', 4, 3],
      ['South', 1, 1],
    ]);
    expect(rehearsed(evening)).toEqual(inFact);
  });

  it('says how long people would have queued', () => {
    const rush = [admitted(1, 0), admitted(2, 1), admitted(3, 2), admitted(4, 100)];
    expect(rehearsed(rush, { takes: 10_000 }).gates[0]?.queue).toEqual({ longest: 2, seconds: 18 });
    expect(rehearsed(rush, { takes: 1_000 }).gates[0]?.queue).toEqual({ longest: 0, seconds: 0 });
  });

  it('with a network at all gates lets in nobody against the rules', () => {
    const first = { gate: 'North', by, at: at(0) };
    const { userId: _, ...copy } = scan(1, 20, 'South');
    const offline = [
      admitted(1, 0),
      happened(
        {
          type: 'AdmittedInConflict',
          data: { ...copy, quantity: 2, why: 'TICKET_USED', scanId: 's1', first },
        },
        600,
      ),
    ];
    const script = doorScript(offline, parties);
    expect(script.inFact).toMatchObject({ scans: 2, admitted: 2, conflicts: 2, refused: {} });
    expect(rehearsed(offline)).toEqual(script.inFact);
    expect(rehearsed(offline, { connected: true })).toMatchObject({
      ...{ scans: 2, admitted: 2, conflicts: 0 },
      refused: { TICKET_USED: 1 },
    });
  });

  it('undoes whom a scan let in there, though the gate let in fewer', () => {
    const one = { ...scan(1, 5), quantity: 1, scanId: 's1', how: 'offline' } as const;
    const undo = { ...scan(1, 60), quantity: 1, scannedAt: at(5), reason: 'the wrong party' };
    const past = [
      happened({ type: 'Admitted', data: one }, 30),
      happened({ type: 'AdmissionUndone', data: undo }, 60),
    ];
    expect(rehearsed(past)).toMatchObject({ scans: 1, admitted: 0 });
    expect(rehearsed(past, { connected: true })).toMatchObject({ scans: 1, admitted: 0 });
  });

  it('takes one scan that let in more than it should have for one', () => {
    const { userId: _, ...half } = scan(1, 20);
    const page2 = { ...scan(1, 5), page: 2, quantity: 1 };
    const past = [
      happened({ type: 'Admitted', data: page2 }, 5),
      happened(
        { type: 'Admitted', data: { ...scan(1, 20), quantity: 1, scanId: 's2', how: 'offline' } },
        600,
      ),
      happened(
        {
          type: 'AdmittedInConflict',
          data: { ...half, quantity: 1, why: 'TICKET_USED', scanId: 's2', first: null },
        },
        600,
      ),
    ];
    const { inFact } = doorScript(past, parties);
    expect(inFact).toMatchObject({ scans: 2, admitted: 2, conflicts: 1 });
    expect(rehearsed(past)).toEqual(inFact);
  });
});
