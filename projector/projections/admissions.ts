import { type AdmissionEvent, admissionEvents } from '#domain/admission/events.ts';
import type { BookingEvent } from '#domain/booking/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import type { RowOf } from '#infra/read-models/table.ts';
import { admissionTable, doorTable, scanTable } from '#infra/read-models/tables.ts';
import type { DeclaredProjection, Projected } from '#projector/engine/projection.ts';

type AdmissionRow = RowOf<typeof admissionTable>;
type DoorRow = RowOf<typeof doorTable>;

/** Null for events that are not scans. */
const OUTCOMES: Readonly<Record<AdmissionEvent['type'], RowOf<typeof scanTable>['outcome'] | null>> = {
  Admitted: 'admitted',
  AdmittedInConflict: 'conflict',
  ReEntryRefused: 'refused',
  EntryRefused: 'refused',
  AdmissionUndone: 'undone',
  AdmissionVoided: null,
  AdmissionRestored: null,
  AdmissionSuspended: null,
  AdmissionResumed: null,
};

const scanRows: Projected<typeof scanTable, AdmissionEvent> = {
  table: scanTable,
  types: typesOf(admissionEvents),
  keys: ({ id, event }) => (OUTCOMES[event.type] === null ? [] : [id]),
  fold: (_row, { id, event: { type, data }, meta }) => {
    const outcome = OUTCOMES[type];
    if (outcome === null || !('page' in data)) return undefined;
    const scanned = 'by' in data ? data : undefined;
    return {
      id,
      booking_id: data.bookingId,
      listing_id: data.listingId,
      outcome,
      why: 'why' in data ? data.why : type === 'ReEntryRefused' ? 'TICKET_USED' : null,
      page: data.page,
      quantity: 'quantity' in data ? data.quantity : 0,
      gate: scanned && 'gate' in scanned ? scanned.gate : null,
      by_id: scanned?.by.id ?? meta.actor.id ?? null,
      at: scanned?.at ?? meta.at,
      undoes: type === 'AdmissionUndone' ? data.scannedAt : null,
      first: type === 'AdmittedInConflict' ? data.first : null,
    };
  },
};

const count = (row: AdmissionRow, event: AdmissionEvent): AdmissionRow => {
  switch (event.type) {
    case 'Admitted':
      return { ...row, admitted: row.admitted + event.data.quantity, last_admitted_at: event.data.at };
    case 'AdmittedInConflict':
      return { ...row, conflicts: row.conflicts + event.data.quantity };
    case 'ReEntryRefused':
    case 'EntryRefused':
      return { ...row, refused: row.refused + 1 };
    case 'AdmissionUndone':
      return { ...row, admitted: row.admitted - event.data.quantity };
    case 'AdmissionVoided':
      return { ...row, voided: event.data.why };
    case 'AdmissionRestored':
      return { ...row, voided: null };
    case 'AdmissionSuspended':
    case 'AdmissionResumed':
      return { ...row, suspended: event.type === 'AdmissionSuspended' };
  }
};

const admissionRows: Projected<typeof admissionTable, AdmissionEvent> = {
  table: admissionTable,
  types: typesOf(admissionEvents),
  keys: ({ event }) => [event.data.bookingId],
  fold: (row, { event }) => {
    const { bookingId, listingId } = event.data;
    const none = {
      admitted: 0,
      refused: 0,
      conflicts: 0,
      last_admitted_at: null,
      voided: null,
      suspended: false,
    };
    return count(row ?? { booking_id: bookingId, listing_id: listingId, ...none }, event);
  },
};

const AT_THE_DOOR = [
  'BookingPlaced',
  'BookingCancelled',
  'BookingReinstated',
  'Admitted',
  'AdmissionUndone',
  'AdmittedInConflict',
] as const;
type AtTheDoor = Extract<AdmissionEvent | BookingEvent, { type: (typeof AT_THE_DOOR)[number] }>;

const countAtTheDoor = (row: DoorRow, { type, data }: AtTheDoor): DoorRow => {
  switch (type) {
    case 'BookingPlaced':
      return { ...row, booked: row.booked + data.quote.quantity };
    case 'BookingReinstated':
      return { ...row, booked: row.booked + data.quantity };
    case 'BookingCancelled':
      return { ...row, booked: row.booked - data.quantity };
    case 'Admitted':
      return { ...row, admitted: row.admitted + data.quantity };
    case 'AdmissionUndone':
      return { ...row, admitted: row.admitted - data.quantity };
    case 'AdmittedInConflict':
      return { ...row, conflicts: row.conflicts + data.quantity };
  }
};

const doorRows: Projected<typeof doorTable, AtTheDoor> = {
  table: doorTable,
  types: AT_THE_DOOR,
  sums: true,
  keys: ({ event }) => [event.data.listingId],
  fold: (row, { event }) => {
    const none = { listing_id: event.data.listingId, booked: 0, admitted: 0, conflicts: 0 };
    return countAtTheDoor(row ?? none, event);
  },
};

export const admissions: DeclaredProjection = {
  name: 'admissions',
  fold: 1,
  tables: [scanRows, admissionRows, doorRows],
};
