import type { AdmissionEvent, ScanFacts } from './events.ts';

export interface Entry extends ScanFacts {
  readonly page: number;
  readonly quantity: number;
  readonly scanId: string | null;
}

export interface AdmissionState {
  /** In order; at most one for each page. */
  readonly entries: readonly Entry[];
  readonly voided: 'cancelled' | 'refunded' | null;
  readonly suspended: boolean;
  /** -1 if no dispute is known. */
  readonly asOf: number;
  /** Undone cancellations. */
  readonly restored: number;
  /** Ids of scans that were undone, or that an offline gate refused or admitted wrongly. */
  readonly settled: readonly string[];
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

export const admittedCount = (state: Pick<AdmissionState, 'entries'>): number =>
  state.entries.reduce((sum, entry) => sum + entry.quantity, 0);

export const admits = (state: Pick<AdmissionState, 'entries'>, page: number, quantity: number): number => {
  const left = quantity - admittedCount(state);
  if (left <= 0 || state.entries.some((entry) => entry.page === page)) return 0;
  return page === 1 ? left : 1;
};

export interface ScanMark {
  readonly page: number;
  readonly by: { readonly id: string };
  readonly scanId: string | null;
}

export const entryOf = (state: AdmissionState, { page, by, scanId }: ScanMark): Entry | undefined =>
  state.entries.find(
    (entry) => scanId !== null && entry.scanId === scanId && entry.page === page && entry.by.id === by.id,
  );

export const isRecorded = ({ entries, settled }: AdmissionState, scanId: string): boolean =>
  settled.includes(scanId) || entries.some((entry) => entry.scanId === scanId);

export type Verdict =
  | { readonly valid: true; readonly quantity: number }
  | { readonly valid: false; readonly first: Entry };

/** The answer to an accepted `Admit`. A repeated scan has no events and gets its first answer again. */
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

export const entryThatUsedUp = (state: Pick<AdmissionState, 'entries'>, page: number): Entry | undefined =>
  state.entries.find((entry) => entry.page === page) ??
  state.entries.find((entry) => entry.page === 1) ??
  state.entries.at(-1);
