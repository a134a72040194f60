import type { AdmissionEvent } from './events.ts';

/** One scan that let people in. `at`: ISO instant. */
export interface Entry {
  readonly page: number;
  readonly quantity: number;
  readonly gate: string | null;
  readonly by: { readonly id: string };
  readonly at: string;
  /** The scanner's own id of that scan, where it gave one. */
  readonly scanId: string | null;
}

export interface AdmissionState {
  /** Who is in, in the order they came. At most one a page. */
  readonly entries: readonly Entry[];
  readonly voided: 'cancelled' | 'refunded' | null;
  /** How often it was restored: once a cancellation that was undone. */
  readonly restored: number;
}

export const initial: AdmissionState = { entries: [], voided: null, restored: 0 };

export const evolve = (state: AdmissionState, event: AdmissionEvent): AdmissionState => {
  switch (event.type) {
    case 'Admitted': {
      const { page, quantity, gate, by, at, scanId = null } = event.data;
      return { ...state, entries: [...state.entries, { page, quantity, gate, by, at, scanId }] };
    }
    case 'ReEntryRefused':
    case 'EntryRefused':
      return state;
    case 'AdmissionUndone':
      return { ...state, entries: state.entries.filter((entry) => entry.page !== event.data.page) };
    case 'AdmissionVoided':
      return { ...state, voided: event.data.why };
    case 'AdmissionRestored':
      return { ...state, voided: null, restored: state.restored + 1 };
  }
};

/** How many people are in. */
export const admittedCount = (state: AdmissionState): number =>
  state.entries.reduce((sum, entry) => sum + entry.quantity, 0);

/**
 * How many people a page's code admits now, 0 for none: the first page the whole party or what is left of it,
 * each further page one. `quantity` is the booking's.
 */
export const admits = (state: AdmissionState, page: number, quantity: number): number => {
  const left = quantity - admittedCount(state);
  if (left <= 0 || state.entries.some((entry) => entry.page === page)) return 0;
  return page === 1 ? left : 1;
};

/** What tells one scan from another: who scanned which page, under the id that the scanner chose. */
export interface ScanMark {
  readonly page: number;
  readonly by: { readonly id: string };
  readonly scanId: string | null;
}

/** The admission that this very scan was given before, if its answer was lost on the way. */
export const entryOf = (state: AdmissionState, { page, by, scanId }: ScanMark): Entry | undefined =>
  state.entries.find(
    (entry) => scanId !== null && entry.scanId === scanId && entry.page === page && entry.by.id === by.id,
  );

/** What the door is told after an admission was asked for. `first`: when and by whom the code was used up. */
export type Verdict =
  | { readonly valid: true; readonly quantity: number }
  | { readonly valid: false; readonly first: Entry };

/**
 * The answer to an `Admit` that was not rejected. A second scan both records `ReEntryRefused` and is invalid, and a
 * rejection would record nothing; so the caller asks here, with the events that its command yielded and the state after.
 * A scan that was asked for again yields none, and is valid as it was the first time.
 */
export const verdict = (
  state: AdmissionState,
  events: readonly AdmissionEvent[],
  mark: ScanMark,
): Verdict | undefined => {
  for (const event of events) {
    if (event.type === 'Admitted') return { valid: true, quantity: event.data.quantity };
    if (event.type === 'ReEntryRefused') {
      const first = entryThatUsedUp(state, event.data.page);
      if (first) return { valid: false, first };
    }
  }
  const before = entryOf(state, mark);
  return before && { valid: true, quantity: before.quantity };
};

/** The scan that used up a page's code: its own, else the first page's, else the last. */
const entryThatUsedUp = (state: AdmissionState, page: number): Entry | undefined =>
  state.entries.find((entry) => entry.page === page) ??
  state.entries.find((entry) => entry.page === 1) ??
  state.entries.at(-1);
