import type { AdmissionEvent, ScanFacts } from './events.ts';

/** A scan that admitted people. */
export interface Entry extends ScanFacts {
  readonly page: number;
  readonly quantity: number;
  /** The scanner's own id of the scan, if it has one. */
  readonly scanId: string | null;
}

/** Who has come in with a booking's codes, and whether the codes still admit. */
export interface AdmissionState {
  /** The scans that admitted people, in their order. At most one for each page. */
  readonly entries: readonly Entry[];
  readonly voided: 'cancelled' | 'refunded' | null;
  /** Whether a dispute of the payment keeps the codes from admitting. */
  readonly suspended: boolean;
  /** The revision of the dispute stream that `suspended` is as of; -1 while there is none. */
  readonly asOf: number;
  /** How often the codes were restored: once for each cancellation that was undone. */
  readonly restored: number;
  /** The scanners' ids of scans that were undone, or that a gate without a network refused or let in against the rules. */
  readonly settled: readonly string[];
  /** Those of them that let in somebody against the rules. */
  readonly conflicts: readonly string[];
}

export const initial: AdmissionState = {
  ...{ entries: [], voided: null, restored: 0, settled: [], conflicts: [] },
  ...{ suspended: false, asOf: -1 },
};

const settle = (state: AdmissionState, scanId: string | null | undefined): AdmissionState =>
  scanId ? { ...state, settled: [...state.settled, scanId] } : state;

export const evolve = (state: AdmissionState, event: AdmissionEvent): AdmissionState => {
  switch (event.type) {
    case 'Admitted': {
      const { page, quantity, gate, by, at, scanId = null } = event.data;
      return { ...state, entries: [...state.entries, { page, quantity, gate, by, at, scanId }] };
    }
    case 'AdmittedInConflict': {
      const { scanId } = event.data;
      return settle({ ...state, conflicts: [...state.conflicts, scanId] }, scanId);
    }
    case 'ReEntryRefused':
    case 'EntryRefused':
      return settle(state, event.data.scanId);
    case 'AdmissionUndone': {
      const { page } = event.data;
      const undone = state.entries.find((entry) => entry.page === page);
      return settle({ ...state, entries: state.entries.filter((one) => one !== undone) }, undone?.scanId);
    }
    case 'AdmissionVoided':
      return { ...state, voided: event.data.why };
    case 'AdmissionRestored':
      return { ...state, voided: null, restored: state.restored + 1 };
    case 'AdmissionSuspended':
    case 'AdmissionResumed':
      return { ...state, suspended: event.type === 'AdmissionSuspended', asOf: event.data.asOf };
  }
};

/** How many people were admitted. */
export const admittedCount = (state: Pick<AdmissionState, 'entries'>): number =>
  state.entries.reduce((sum, entry) => sum + entry.quantity, 0);

/**
 * How many people a page's code admits now. The first page admits all who are not in yet, each further page one person.
 * `quantity` is the booking's.
 */
export const admits = (state: Pick<AdmissionState, 'entries'>, page: number, quantity: number): number => {
  const left = quantity - admittedCount(state);
  if (left <= 0 || state.entries.some((entry) => entry.page === page)) return 0;
  return page === 1 ? left : 1;
};

/** Identifies a scan: the page, the scanning account, and the scanner's own id. */
export interface ScanMark {
  readonly page: number;
  readonly by: { readonly id: string };
  readonly scanId: string | null;
}

/** The entry that this same scan was given before, if it is a repeat. */
export const entryOf = (state: AdmissionState, { page, by, scanId }: ScanMark): Entry | undefined =>
  state.entries.find(
    (entry) => scanId !== null && entry.scanId === scanId && entry.page === page && entry.by.id === by.id,
  );

/** Whether a scan with this id, made by a gate without a network, was recorded. */
export const isRecorded = ({ entries, settled }: AdmissionState, scanId: string): boolean =>
  settled.includes(scanId) || entries.some((entry) => entry.scanId === scanId);

/** The answer to a scan. `first` is the scan that used the code up. */
export type Verdict =
  | { readonly valid: true; readonly quantity: number }
  | { readonly valid: false; readonly first: Entry };

/**
 * The answer to an `Admit` that was not rejected, from its events and the state after them. A scan of a used code is invalid but can't
 * be a rejection, since a rejection would not record it. A repeat of a scan has no events and gets its first answer again.
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

/** The scan that used a page's code up: of this page, otherwise of the first page, otherwise the last scan. */
export const entryThatUsedUp = (state: Pick<AdmissionState, 'entries'>, page: number): Entry | undefined =>
  state.entries.find((entry) => entry.page === page) ??
  state.entries.find((entry) => entry.page === 1) ??
  state.entries.at(-1);
