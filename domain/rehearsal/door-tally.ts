import type { AdmissionEvent } from '#domain/admission/events.ts';
import { type BusiestMinute, Curve, Minutes, type Span } from './past.ts';

/** How a gate did. */
export interface GateFigures {
  /** Null for scanners that did not say where they stood. */
  readonly gate: string | null;
  readonly scans: number;
  readonly busiest: BusiestMinute | null;
  /** The most parties that waited at once, and the longest wait in seconds, if a scan takes a time; null where none is given. */
  readonly queue: { readonly longest: number; readonly seconds: number } | null;
}

/** How an evening at the door went, in fact or rehearsed. */
export interface DoorFigures {
  readonly scans: number;
  /** People who came in rightly, without those whose scan was undone. */
  readonly admitted: number;
  /** People whom a gate without a network let in against the rules. */
  readonly conflicts: number;
  /** Scans that let nobody in, by the code of `domain/kernel/errors.ts`. */
  readonly refused: Record<string, number>;
  readonly busiest: BusiestMinute | null;
  readonly gates: GateFigures[];
  /** Who is in, over the time of the evening. */
  readonly curve: number[];
}

interface Gate {
  readonly minutes: Minutes;
  readonly arrivals: number[];
}

/** Who waits at a gate where each scan takes as long, and parties come one after the other. */
const queueOf = (arrivals: readonly number[], takes: number): GateFigures['queue'] => {
  const begun: number[] = [];
  let free = Number.NEGATIVE_INFINITY;
  let [longest, wait, first] = [0, 0, 0];
  for (const at of arrivals.toSorted((a, b) => a - b)) {
    while (first < begun.length && (begun[first] ?? 0) <= at) first += 1;
    const begins = Math.max(at, free);
    begun.push(begins);
    free = begins + takes;
    longest = Math.max(longest, begun.length - first - (begins === at ? 1 : 0));
    wait = Math.max(wait, begins - at);
  }
  return { longest, seconds: Math.ceil(wait / 1_000) };
};

/** Counts an evening by the events of its admissions, whether they are of the log or of the sandbox. */
export class DoorTally {
  readonly #takes: number | undefined;
  readonly #curve: Curve;
  readonly #minutes = new Minutes();
  readonly #gates = new Map<string | null, Gate>();
  readonly #refused: Record<string, number> = {};
  #scans = 0;
  #admitted = 0;
  #conflicts = 0;

  /** @param takes how long a scan takes, in milliseconds */
  constructor(span: Span, takes?: number) {
    this.#curve = new Curve(span);
    this.#takes = takes;
  }

  /** A code was read. */
  scanned(gate: string | null, at: number): void {
    const known = this.#gates.get(gate) ?? { minutes: new Minutes(), arrivals: [] };
    this.#gates.set(gate, known);
    known.minutes.add(at);
    known.arrivals.push(at);
    this.#minutes.add(at);
    this.#scans += 1;
  }

  refused(why: string): void {
    this.#refused[why] = (this.#refused[why] ?? 0) + 1;
  }

  happened(event: AdmissionEvent, at: number): void {
    if (event.type === 'Admitted') this.#admitted += event.data.quantity;
    else if (event.type === 'AdmissionUndone') this.#admitted -= event.data.quantity;
    else if (event.type === 'AdmittedInConflict') this.#conflicts += event.data.quantity;
    else if (event.type === 'ReEntryRefused') this.refused('TICKET_USED');
    else if (event.type === 'EntryRefused') this.refused(event.data.why);
    this.#curve.set(at, this.#admitted);
  }

  figures(): DoorFigures {
    const takes = this.#takes;
    return {
      ...{ scans: this.#scans, admitted: this.#admitted, conflicts: this.#conflicts },
      refused: { ...this.#refused },
      busiest: this.#minutes.busiest,
      gates: [...this.#gates].map(([gate, { minutes, arrivals }]) => ({
        ...{ gate, scans: arrivals.length, busiest: minutes.busiest },
        queue: takes === undefined ? null : queueOf(arrivals, takes),
      })),
      curve: this.#curve.points,
    };
  }
}
