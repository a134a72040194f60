/** An evening at the door rehearsed: the same codes at the same gates and moments, decided by the rules of admission. It is pure. */
import { type AdmissionCommand, admission } from '#domain/admission/admission.ts';
import {
  type AdmissionEvent,
  type ScanFacts,
  TURNED_AWAY,
  type TurnedAway,
} from '#domain/admission/events.ts';
import { type AdmissionState, admittedCount } from '#domain/admission/state.ts';
import { isRejection, type Rejection } from '#domain/kernel/decider.ts';
import { type DoorFigures, DoorTally } from './door-tally.ts';
import { inOrder, type Moment, type Past, type Span } from './past.ts';

/** What is to be another than in fact. What is missing stays as it was. */
export interface DoorChanges {
  /** Whether all gates have a network all evening: what they did without one is decided when it happened. */
  readonly connected?: boolean | undefined;
  /** How long a scan takes, in milliseconds, for the queues. */
  readonly takes?: number | undefined;
}

/** A code that was shown, or a guest who was found by name. */
interface Scan extends ScanFacts {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly page: number;
  readonly scanId: string | null;
  /** Why it was refused, apart from what the rules of admission know. */
  readonly turnedAway: TurnedAway | null;
  /** What a gate without a network did: how many it let in, and why it should not have. */
  readonly offline: { readonly admitted: number; readonly why: TurnedAway | null } | null;
}

/** At a moment (in milliseconds since the epoch) a scan, or a change from elsewhere: a cancellation, a dispute, a scan that was undone. */
type DoorStep = { readonly at: number } & (
  | { readonly scan: Scan }
  | { readonly event: Extract<AdmissionEvent, { type: `Admission${string}` }> }
);

/** What happened at the door, so that it can be played again. */
export interface DoorScript {
  /** How many people each booking is for. */
  readonly parties: ReadonlyMap<number, number>;
  readonly steps: readonly DoorStep[];
  readonly span: Span;
  readonly inFact: DoorFigures;
}

/** What only the gate knows of: the rules of admission decide the rest again. */
const AT_THE_GATE: readonly TurnedAway[] = ['TICKET_WRONG_EVENT', 'TICKET_REISSUED', 'TICKET_EXPIRED'];

type ScanEvent = Exclude<AdmissionEvent, { type: `Admission${string}` }>;

const isScan = (event: AdmissionEvent): event is ScanEvent => !event.type.startsWith('Admission');

const scanOf = (event: ScanEvent): Scan => {
  const { bookingId, listingId, page, gate, by, at, scanId = null } = event.data;
  const scan = {
    bookingId,
    userId: '',
    listingId,
    page,
    gate,
    by,
    at,
    scanId,
    turnedAway: null,
    offline: null,
  };
  switch (event.type) {
    case 'Admitted': {
      const { quantity: admitted, userId, how } = event.data;
      return { ...scan, userId, offline: how === 'offline' ? { admitted, why: null } : null };
    }
    case 'AdmittedInConflict': {
      const { quantity: admitted, why } = event.data;
      return { ...scan, offline: { admitted, why: why === 'TICKET_USED' ? null : why } };
    }
    case 'ReEntryRefused':
      return { ...scan, offline: scanId === null ? null : { admitted: 0, why: null } };
    case 'EntryRefused': {
      const { why } = event.data;
      const turnedAway = AT_THE_GATE.includes(why) ? why : null;
      return { ...scan, turnedAway, offline: scanId === null ? null : { admitted: 0, why } };
    }
  }
};

/** Whether both tell of one scan: a gate without a network had let in more than it should have. */
const isSameScan = (a: Scan, b: Scan): boolean =>
  a.offline !== null && a.scanId !== null && a.scanId === b.scanId && a.bookingId === b.bookingId;

/** Makes the script of an evening from its admissions in the log's order. @param parties how many people each booking is for */
export const doorScript = (
  past: readonly Past<AdmissionEvent>[],
  parties: ReadonlyMap<number, number>,
): DoorScript => {
  const timed = inOrder(past);
  const scans = timed.flatMap(({ event }) => (isScan(event) ? Date.parse(event.data.at) : []));
  const span = scans.reduce(({ from, to }, at) => ({ from: Math.min(from, at), to: Math.max(to, at) }), {
    from: scans[0] ?? 0,
    to: scans[0] ?? 0,
  });
  const tally = new DoorTally(span);
  const steps: DoorStep[] = [];
  for (const { event, at } of timed) {
    if (!isScan(event)) {
      steps.push({ at, event });
      tally.happened(event, at);
      continue;
    }
    const scan = scanOf(event);
    const before = steps.at(-1);
    if (before && 'scan' in before && isSameScan(before.scan, scan)) {
      const admitted = (before.scan.offline?.admitted ?? 0) + (scan.offline?.admitted ?? 0);
      const why = scan.offline?.why ?? null;
      steps[steps.length - 1] = { at, scan: { ...before.scan, offline: { admitted, why } } };
    } else {
      steps.push({ at, scan });
      tally.scanned(scan.gate, Date.parse(scan.at));
    }
    tally.happened(event, Date.parse(scan.at));
  }
  return { parties, steps, span, inFact: tally.figures() };
};

/** What happens under the changes, in the order of its times. */
const stepsUnder = ({ steps }: DoorScript, { connected }: DoorChanges): readonly DoorStep[] => {
  if (!connected) return steps;
  return steps
    .map((step) =>
      'scan' in step ? { at: Date.parse(step.scan.at), scan: { ...step.scan, offline: null } } : step,
    )
    .sort((a, b) => a.at - b.at);
};

const isTurnedAway = (code: string): code is TurnedAway => TURNED_AWAY.some((one) => one === code);

/** Plays an evening step by step. Each moment is the one after its step. */
export function* playDoor(script: DoorScript, changes: DoorChanges): Generator<Moment<DoorFigures>, void> {
  const tally = new DoorTally(script.span, changes.takes);
  const states = new Map<number, AdmissionState>();
  const stateOf = (bookingId: number): AdmissionState => states.get(bookingId) ?? admission.initial;

  const decide = (command: AdmissionCommand, at: number): Rejection | undefined => {
    let state = stateOf(command.bookingId);
    const decision = admission.decide(state, command);
    if (isRejection(decision)) return decision;
    for (const event of decision) {
      state = admission.evolve(state, event, '');
      tally.happened(event, at);
    }
    states.set(command.bookingId, state);
    return undefined;
  };

  const read = ({ turnedAway, offline, scanId, ...scan }: Scan): void => {
    const at = Date.parse(scan.at);
    const quantity = script.parties.get(scan.bookingId) ?? scan.page;
    tally.scanned(scan.gate, at);
    const { bookingId, listingId, page, gate, by } = scan;
    const refused = { bookingId, listingId, page, gate, by, at: scan.at };
    if (offline) {
      decide({ type: 'RecordOffline', ...scan, ...offline, quantity, scanId: scanId ?? '' }, at);
    } else if (turnedAway) {
      decide({ type: 'TurnAway', ...refused, why: turnedAway }, at);
    } else {
      const code = decide({ type: 'Admit', ...scan, quantity, scanId }, at)?.rejected;
      if (code && isTurnedAway(code)) decide({ type: 'TurnAway', ...refused, why: code }, at);
      else if (code) tally.refused(code);
    }
  };

  const figures = () => tally.figures();
  const steps = stepsUnder(script, changes);
  for (const [index, step] of steps.entries()) {
    if ('scan' in step) read(step.scan);
    else {
      const { event, at } = step;
      const { bookingId } = event.data;
      const before = stateOf(bookingId);
      const after = admission.evolve(before, event, '');
      // An undone scan lets out whom it let in here, which may be nobody.
      const quantity = admittedCount(before) - admittedCount(after);
      const undone = event.type === 'AdmissionUndone';
      if (!undone || quantity > 0) {
        states.set(bookingId, after);
        tally.happened(undone ? { ...event, data: { ...event.data, quantity } } : event, at);
      }
    }
    yield { at: step.at, played: index + 1, of: steps.length, figures };
  }
}
