import { type Aggregate, type Decision, reject } from '#domain/decider.ts';
import type { AdmissionEvent, TurnedAway } from './events.ts';
import { type AdmissionState, admits, entryOf, evolve, initial } from './state.ts';

/** The commands of a booking's admission. `at` is an ISO instant; `cancellation` is the number of the booking's cancellation, from 1. */
export type AdmissionCommand =
  | {
      readonly type: 'Admit';
      readonly bookingId: number;
      readonly userId: string;
      readonly listingId: number;
      /** The page of the code: 1 admits the whole party, 2 up to `quantity` admit one person each. */
      readonly page: number;
      /** How many people the booking is for. */
      readonly quantity: number;
      readonly gate: string | null;
      readonly by: { readonly id: string };
      readonly at: string;
      /** The scanner's own id of this scan. */
      readonly scanId?: string | null;
    }
  /** Records that a genuine code was refused. */
  | {
      readonly type: 'TurnAway';
      readonly bookingId: number;
      readonly listingId: number;
      readonly page: number;
      readonly why: TurnedAway;
      readonly gate: string | null;
      readonly by: { readonly id: string };
      readonly at: string;
    }
  | { readonly type: 'Undo'; readonly bookingId: number; readonly listingId: number; readonly page: number }
  | {
      readonly type: 'Void';
      readonly bookingId: number;
      readonly listingId: number;
      readonly why: 'cancelled' | 'refunded';
      readonly cancellation: number;
    }
  | {
      readonly type: 'Restore';
      readonly bookingId: number;
      readonly listingId: number;
      readonly cancellation: number;
    };

type Command<Type extends AdmissionCommand['type']> = Extract<AdmissionCommand, { type: Type }>;

/**
 * The rules of the door: a code admits once, and a repeat of the same scan changes nothing. Another scan of a used code is not rejected
 * but recorded as `ReEntryRefused`; `verdict` tells what to answer. Rejects with TICKET_CANCELLED or TICKET_REFUNDED if the codes
 * were voided, TICKET_FORGED for a page that the booking does not have, and a `Void` with ALREADY_SCANNED once somebody was admitted.
 */
const decide = (state: AdmissionState, command: AdmissionCommand): Decision<AdmissionEvent> => {
  switch (command.type) {
    case 'Admit':
      return admit(state, command);
    case 'TurnAway': {
      const { type: _, ...data } = command;
      return [{ type: 'EntryRefused', data }];
    }
    case 'Undo': {
      const { bookingId, listingId, page } = command;
      const entry = state.entries.find((one) => one.page === page);
      if (!entry) return [];
      return [{ type: 'AdmissionUndone', data: { bookingId, listingId, page, quantity: entry.quantity } }];
    }
    case 'Void':
      return voidAll(state, command);
    case 'Restore': {
      const { bookingId, listingId, cancellation } = command;
      if (cancellation <= state.restored) return [];
      return [{ type: 'AdmissionRestored', data: { bookingId, listingId } }];
    }
  }
};

const admit = (
  state: AdmissionState,
  { bookingId, userId, listingId, page, quantity, gate, by, at, scanId = null }: Command<'Admit'>,
): Decision<AdmissionEvent> => {
  if (entryOf(state, { page, by, scanId })) return [];
  if (state.voided) return reject(state.voided === 'refunded' ? 'TICKET_REFUNDED' : 'TICKET_CANCELLED');
  if (!Number.isInteger(page) || page < 1 || page > quantity) return reject('TICKET_FORGED');
  const admitted = admits(state, page, quantity);
  if (admitted === 0) {
    return [{ type: 'ReEntryRefused', data: { bookingId, listingId, page, gate, by, at } }];
  }
  const data = {
    ...{ bookingId, userId, listingId, page, quantity: admitted, gate, by, at },
    ...(scanId === null ? {} : { scanId }),
  };
  return [{ type: 'Admitted', data }];
};

const voidAll = (
  state: AdmissionState,
  { bookingId, listingId, why, cancellation }: Command<'Void'>,
): Decision<AdmissionEvent> => {
  if (cancellation <= state.restored || state.voided === why || state.voided === 'refunded') return [];
  if (state.entries.length > 0) return reject('ALREADY_SCANNED');
  return [{ type: 'AdmissionVoided', data: { bookingId, listingId, why } }];
};

/** The admission aggregate. Its stream is `admission-{bookingId}`. */
export const admission: Aggregate<AdmissionState, AdmissionCommand, AdmissionEvent> = {
  name: 'admission',
  initial,
  evolve,
  decide,
};
