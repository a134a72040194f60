import type { DomainEvent } from '#domain/kernel/decider.ts';

/** An event of the log with the moment of its command (an ISO instant): what scripts are made from, in the log's order. */
export interface Past<Event extends DomainEvent = DomainEvent> {
  readonly event: Event;
  readonly at: string;
}

/** So many points has a curve of a rehearsal. */
export const CURVE_POINTS = 40;

/** A moment of a rehearsal: the time in the sandbox, in milliseconds since the epoch, and how many steps have been played. */
export interface Moment<Figures> {
  readonly at: number;
  readonly played: number;
  /** How many steps there are. */
  readonly of: number;
  /** The figures as they are now. */
  figures(): Figures;
}

/** From the first to the last moment of a script, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Follows a number through a span. What comes later than its end counts for its last point. */
export class Curve {
  readonly #span: Span;
  readonly #points: (number | undefined)[] = new Array(CURVE_POINTS).fill(undefined);

  constructor(span: Span) {
    this.#span = span;
  }

  set(at: number, value: number): void {
    const { from, to } = this.#span;
    const share = to > from ? (at - from) / (to - from) : 1;
    const point = Math.min(CURVE_POINTS - 1, Math.max(0, Math.floor(share * CURVE_POINTS)));
    this.#points[point] = value;
  }

  /** The number at the end of each part of the span. */
  get points(): number[] {
    let last = 0;
    return this.#points.map((value) => {
      last = value ?? last;
      return last;
    });
  }
}

const MINUTE = 60_000;

/** A minute (an ISO instant) with how often something happened in it. */
export interface BusiestMinute {
  readonly at: string;
  readonly count: number;
}

/** Counts what happens in each minute. */
export class Minutes {
  readonly #counts = new Map<number, number>();
  #busiest: { readonly minute: number; readonly count: number } | undefined;

  add(at: number): void {
    const minute = Math.floor(at / MINUTE);
    const count = (this.#counts.get(minute) ?? 0) + 1;
    this.#counts.set(minute, count);
    if (count > (this.#busiest?.count ?? 0)) this.#busiest = { minute, count };
  }

  /** The first of the busiest minutes; null where nothing happened. */
  get busiest(): BusiestMinute | null {
    const { minute, count } = this.#busiest ?? {};
    if (minute === undefined || count === undefined) return null;
    return { at: new Date(minute * MINUTE).toISOString(), count };
  }
}

/** An event of the past with its time in the script, in milliseconds since the epoch. */
export interface Timed<Event extends DomainEvent> {
  readonly event: Event;
  readonly at: number;
}

/**
 * Gives events their times. They keep the log's order, in which they were decided, though the clocks of several processes differ a
 * little: none is earlier than the one before it. Only a past that was written later, such as the demo's, is put in the order of its moments.
 */
export const inOrder = <Event extends DomainEvent>(past: readonly Past<Event>[]): readonly Timed<Event>[] => {
  let latest = 0;
  let writtenLater = false;
  const timed = past.map(({ event, at }) => {
    const moment = Date.parse(at);
    writtenLater ||= moment < latest - MINUTE;
    latest = Math.max(latest, moment);
    return { event, at: latest, moment };
  });
  if (!writtenLater) return timed;
  return timed.map(({ event, moment }) => ({ event, at: moment })).sort((a, b) => a.at - b.at);
};
