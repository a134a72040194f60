import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { AdmissionEvent, Entrance, ScanFacts, TurnedAway } from './events.ts';
import {
  type AdmissionState,
  admits,
  entryOf,
  entryThatUsedUp,
  evolve,
  initial,
  isRecorded,
} from './state.ts';

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
      readonly how?: Entrance;
    }
  /** Records what a gate without a network has done. */
  | (ScanFacts & {
      readonly type: 'RecordOffline';
      readonly bookingId: number;
      readonly userId: string;
      readonly listingId: number;
      readonly page: number;
      /** How many people the booking is for. */
      readonly quantity: number;
      /** How many people the gate let in: 0 if it refused. */
      readonly admitted: number;
      /** Why the gate refused, or why it should have, apart from earlier scans. */
      readonly why: TurnedAway | 'TICKET_USED' | null;
      readonly scanId: string;
    })
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
  | {
      readonly type: 'Undo';
      readonly bookingId: number;
      readonly userId: string;
      readonly listingId: number;
      readonly page: number;
      /** When the scan was that is to be undone. */
      readonly scannedAt: string;
      readonly reason: string;
      readonly by: { readonly id: string };
      /** Whether they may undo the scans of others too. */
      readonly anybodys: boolean;
      readonly at: string;
    }
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
    }
  /** Follows the disputes of the payment, as they were at the revision `asOf` of their stream. */
  | {
      readonly type: 'FollowDisputes';
      readonly bookingId: number;
      readonly listingId: number;
      readonly moneyGone: boolean;
      readonly asOf: number;
    };

type Command<Type extends AdmissionCommand['type']> = Extract<AdmissionCommand, { type: Type }>;

/**
 * The rules of the door: a code admits once, and a repeat of the same scan changes nothing. Another scan of a used code is not rejected
 * but recorded as `ReEntryRefused`; `verdict` tells what to answer. Rejects with TICKET_CANCELLED or TICKET_REFUNDED if the codes
 * were voided, TICKET_DISPUTED while a dispute keeps the money, TICKET_FORGED for a page that the booking does not have, and a `Void` with ALREADY_SCANNED once somebody was admitted.
 * What a gate without a network has done can't be rejected: whom it should not have let in is recorded as `AdmittedInConflict`. An
 * `Undo` is rejected with SCAN_UNDONE if that scan admits nobody any more, and with NOT_YOUR_SCAN if somebody else made it. Of two
 * `FollowDisputes` the one with the higher revision wins, in whichever order they come.
 */
const decide = (state: AdmissionState, command: AdmissionCommand): Decision<AdmissionEvent> => {
  switch (command.type) {
    case 'Admit':
      return admit(state, command);
    case 'TurnAway': {
      const { type: _, ...data } = command;
      return [{ type: 'EntryRefused', data }];
    }
    case 'RecordOffline':
      return recordOffline(state, command);
    case 'Undo': {
      const { type: _, anybodys, ...data } = command;
      const entry = state.entries.find(({ page, at }) => page === data.page && at === data.scannedAt);
      if (!entry) return reject('SCAN_UNDONE');
      if (!anybodys && entry.by.id !== data.by.id) return reject('NOT_YOUR_SCAN');
      return [{ type: 'AdmissionUndone', data: { ...data, quantity: entry.quantity } }];
    }
    case 'Void':
      return voidAll(state, command);
    case 'Restore': {
      const { bookingId, listingId, cancellation } = command;
      if (cancellation <= state.restored) return [];
      return [{ type: 'AdmissionRestored', data: { bookingId, listingId } }];
    }
    case 'FollowDisputes': {
      const { type: _, moneyGone, ...data } = command;
      if (data.asOf <= state.asOf) return [];
      return [{ type: moneyGone ? 'AdmissionSuspended' : 'AdmissionResumed', data }];
    }
  }
};

const admit = (
  state: AdmissionState,
  { bookingId, userId, listingId, page, quantity, gate, by, at, scanId = null, how }: Command<'Admit'>,
): Decision<AdmissionEvent> => {
  if (entryOf(state, { page, by, scanId })) return [];
  if (scanId !== null && state.settled.includes(scanId)) return reject('SCAN_UNDONE');
  const why = closedWhy(state);
  if (why) return reject(why);
  if (!isPage(page, quantity)) return reject('TICKET_FORGED');
  const admitted = admits(state, page, quantity);
  if (admitted === 0) {
    return [{ type: 'ReEntryRefused', data: { bookingId, listingId, page, gate, by, at } }];
  }
  const data = {
    ...{ bookingId, userId, listingId, page, quantity: admitted, gate, by, at },
    ...(scanId === null ? {} : { scanId }),
    ...(how ? { how } : {}),
  };
  return [{ type: 'Admitted', data }];
};

/** Why no code of the booking admits, if none does. */
const closedWhy = ({ voided, suspended }: AdmissionState): TurnedAway | undefined => {
  if (voided) return voided === 'refunded' ? 'TICKET_REFUNDED' : 'TICKET_CANCELLED';
  return suspended ? 'TICKET_DISPUTED' : undefined;
};

/** Whether a booking for so many people has this page. */
const isPage = (page: number, quantity: number): boolean =>
  Number.isInteger(page) && page >= 1 && page <= quantity;

const recordOffline = (
  state: AdmissionState,
  { type: _, userId, quantity, admitted, why, ...scan }: Command<'RecordOffline'>,
): Decision<AdmissionEvent> => {
  if (isRecorded(state, scan.scanId)) return [];
  if (!isPage(scan.page, quantity)) return reject('TICKET_FORGED');
  if (admitted === 0)
    return why && why !== 'TICKET_USED'
      ? [{ type: 'EntryRefused', data: { ...scan, why } }]
      : [{ type: 'ReEntryRefused', data: scan }];
  const against = why ?? closedWhy(state);
  const rightly = against ? 0 : Math.min(admitted, admits(state, scan.page, quantity));
  const events: AdmissionEvent[] = [];
  if (rightly > 0)
    events.push({ type: 'Admitted', data: { ...scan, userId, quantity: rightly, how: 'offline' } });
  if (rightly < admitted) {
    const used = entryThatUsedUp(state, scan.page);
    const first = used ? { gate: used.gate, by: used.by, at: used.at } : null;
    const data = { ...scan, quantity: admitted - rightly, why: against ?? 'TICKET_USED', first } as const;
    events.push({ type: 'AdmittedInConflict', data });
  }
  return events;
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
