/** Admissions: how many of each booking's party are in, and every scan that let somebody in or refused it. */
import { type AdmissionEvent, admissionEvents } from '#domain/admission/events.ts';
import { typesOf } from '#domain/personal.ts';
import type { RowOf } from '#infra/read-models/table.ts';
import { admissionTable, scanTable } from '#infra/read-models/tables.ts';
import type { Projected, Projection } from '#projector/projection.ts';

const OUTCOMES = {
  Admitted: 'admitted',
  ReEntryRefused: 'refused',
  EntryRefused: 'refused',
  AdmissionUndone: 'undone',
} as const;

type Scan = Extract<AdmissionEvent, { type: keyof typeof OUTCOMES }>;

/** Why a scan let nobody in: a code of `domain/errors.ts`. */
const reasonOf = (event: Scan): RowOf<typeof scanTable>['why'] => {
  if (event.type === 'EntryRefused') return event.data.why;
  return event.type === 'ReEntryRefused' ? 'TICKET_USED' : null;
};

const scanRows: Projected<typeof scanTable, Scan> = {
  table: scanTable,
  types: typesOf(OUTCOMES),
  blind: 'any',
  keys: ({ id }) => [id],
  fold: (_row, { id, event, meta }) => {
    const { bookingId, listingId, page } = event.data;
    const scanned = event.type === 'AdmissionUndone' ? undefined : event.data;
    return {
      id,
      booking_id: bookingId,
      listing_id: listingId,
      outcome: OUTCOMES[event.type],
      why: reasonOf(event),
      page,
      quantity: 'quantity' in event.data ? event.data.quantity : 0,
      gate: scanned?.gate ?? null,
      by_id: scanned?.by.id ?? meta.actor.id ?? null,
      at: scanned?.at ?? meta.at,
    };
  },
};

const admissionRows: Projected<typeof admissionTable, AdmissionEvent> = {
  table: admissionTable,
  types: typesOf(admissionEvents),
  keys: ({ event }) => [event.data.bookingId],
  fold: (before, { event }) => {
    const row: RowOf<typeof admissionTable> = before ?? {
      booking_id: event.data.bookingId,
      listing_id: event.data.listingId,
      admitted: 0,
      refused: 0,
      last_admitted_at: null,
      voided: null,
    };
    switch (event.type) {
      case 'Admitted':
        return { ...row, admitted: row.admitted + event.data.quantity, last_admitted_at: event.data.at };
      case 'ReEntryRefused':
      case 'EntryRefused':
        return { ...row, refused: row.refused + 1 };
      case 'AdmissionUndone':
        return { ...row, admitted: row.admitted - event.data.quantity };
      case 'AdmissionVoided':
        return { ...row, voided: event.data.why };
      case 'AdmissionRestored':
        return { ...row, voided: null };
    }
  },
};

export const admissions: Projection = {
  name: 'admissions',
  version: 1,
  tables: [scanRows, admissionRows],
};
