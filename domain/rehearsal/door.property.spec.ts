/** An evening at the door rehearsed with nothing changed is the evening, whatever was shown at the gates. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AdmissionCommand, admission } from '#domain/admission/admission.ts';
import { type AdmissionEvent, TURNED_AWAY } from '#domain/admission/events.ts';
import { isRejection } from '#domain/kernel/decider.ts';
import { sweep } from '#tests/kit/sweep.ts';
import { doorScript, playDoor } from './door.ts';
import type { Past } from './past.ts';

const START = Date.parse('2026-11-20T19:00:00.000Z');
const BOOKINGS = 3;
const PARTY = 3;
const parties = new Map(Array.from({ length: BOOKINGS }, (_, index) => [index + 1, PARTY]));

/** A door with a log: commands are decided as the site does. */
class Door {
  readonly past: Past<AdmissionEvent>[] = [];
  readonly states = new Map([...parties.keys()].map((id) => [id, admission.initial]));
  now = START;
  scans = 0;

  /** @returns the code of a rejection */
  decide(bookingId: number, command: AdmissionCommand): string | undefined {
    const state = this.states.get(bookingId) ?? admission.initial;
    const decision = admission.decide(state, command);
    if (isRejection(decision)) return decision.rejected;
    const at = new Date(this.now).toISOString();
    for (const event of decision) this.past.push({ event, at });
    this.states.set(
      bookingId,
      decision.reduce((before, event) => admission.evolve(before, event, at), state),
    );
    return undefined;
  }
}

interface Act {
  readonly bookingId: number;
  readonly page: number;
  readonly gate: string;
  readonly does: 'show' | 'show-wrong' | 'offline' | 'undo' | 'void' | 'restore' | 'dispute' | 'resolve';
  readonly admitted: number;
  readonly later: number;
}

const act = (door: Door, { bookingId, page, gate, does, admitted, later }: Act): void => {
  door.now += later;
  const at = new Date(door.now).toISOString();
  const ids = { bookingId, listingId: 1 };
  const scan = { ...ids, page, gate, by: { id: 'sam' }, at };
  const guest = { ...scan, userId: 'ann', quantity: PARTY };
  const state = door.states.get(bookingId) ?? admission.initial;
  switch (does) {
    case 'show': {
      const code = door.decide(bookingId, { type: 'Admit', ...guest });
      const why = TURNED_AWAY.find((one) => one === code);
      if (why) door.decide(bookingId, { type: 'TurnAway', ...scan, why });
      return;
    }
    case 'show-wrong':
      door.decide(bookingId, { type: 'TurnAway', ...scan, why: 'TICKET_WRONG_EVENT' });
      return;
    case 'offline': {
      door.scans += 1;
      const scanId = `s${door.scans}`;
      const happened = new Date(door.now - later).toISOString();
      const offline = { ...guest, at: happened, admitted, scanId, why: null };
      door.decide(bookingId, { type: 'RecordOffline', ...offline });
      return;
    }
    case 'undo': {
      const entry = state.entries.at(-1);
      if (!entry) return;
      const undone = { ...scan, userId: 'ann', page: entry.page, scannedAt: entry.at, reason: '' };
      door.decide(bookingId, { type: 'Undo', ...undone, anybodys: true });
      return;
    }
    case 'void':
      door.decide(bookingId, { type: 'Void', ...ids, why: 'cancelled', cancellation: state.restored + 1 });
      return;
    case 'restore':
      if (state.voided) door.decide(bookingId, { type: 'Restore', ...ids, cancellation: state.restored + 1 });
      return;
    default: {
      const asOf = state.asOf + 1;
      door.decide(bookingId, { type: 'FollowDisputes', ...ids, moneyGone: does === 'dispute', asOf });
    }
  }
};

const acts = fc.array(
  fc.record<Act>({
    bookingId: fc.integer({ min: 1, max: BOOKINGS }),
    page: fc.integer({ min: 1, max: PARTY }),
    gate: fc.constantFrom('North', 'South'),
    does: fc.constantFrom(
      ...(['show', 'show', 'show', 'show-wrong', 'offline', 'offline'] as const),
      ...(['undo', 'void', 'restore', 'dispute', 'resolve'] as const),
    ),
    admitted: fc.nat(PARTY),
    later: fc.integer({ min: 1, max: 300_000 }),
  }),
  { maxLength: 50, size: '+1' },
);

const evening = (done: readonly Act[]): Door => {
  const door = new Door();
  for (const one of done) act(door, one);
  return door;
};

it('ends as it did when nothing is changed', () => {
  fc.assert(
    fc.property(acts, (done) => {
      const script = doorScript(evening(done).past, parties);
      const last = [...playDoor(script, {})].at(-1);
      if (last) expect(last.figures()).toEqual(script.inFact);
    }),
    { numRuns: sweep(150, 3_000) },
  );
});

it('lets in nobody against the rules where all gates have a network', () => {
  fc.assert(
    fc.property(acts, (done) => {
      const script = doorScript(evening(done).past, parties);
      const last = [...playDoor(script, { connected: true })].at(-1);
      expect(last?.figures().conflicts ?? 0).toBe(0);
      expect(last?.figures().scans ?? 0).toBe(script.inFact.scans);
      expect(last?.figures().admitted ?? 0).toBeLessThanOrEqual(BOOKINGS * PARTY);
    }),
    { numRuns: sweep(100, 2_000) },
  );
});
