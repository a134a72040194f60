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

/** `at` is an ISO instant; `cancellation` counts from 1. */
export type AdmissionCommand =
  | {
      readonly type: 'Admit';
      readonly bookingId: number;
      readonly userId: string;
      readonly listingId: number;
      readonly page: number;
      readonly quantity: number;
      readonly gate: string | null;
      readonly by: { readonly id: string };
      readonly at: string;
      readonly scanId?: string | null;
      readonly how?: Entrance;
    }
  | (ScanFacts & {
      readonly type: 'RecordOffline';
      readonly bookingId: number;
      readonly userId: string;
      readonly listingId: number;
      readonly page: number;
      readonly quantity: number;
      readonly admitted: number;
      readonly why: TurnedAway | 'TICKET_USED' | null;
      readonly scanId: string;
    })
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
      readonly scannedAt: string;
      readonly reason: string;
      readonly by: { readonly id: string };
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
  /** The disputes at revision `asOf` of their stream. */
  | {
      readonly type: 'FollowDisputes';
      readonly bookingId: number;
      readonly listingId: number;
      readonly moneyGone: boolean;
      readonly asOf: number;
    };

type Command<Type extends AdmissionCommand['type']> = Extract<AdmissionCommand, { type: Type }>;

/**
 * A code admits once. Its reuse is recorded as `ReEntryRefused`, not rejected. Repeats of a scan change
 * nothing. Rejects with TICKET_CANCELLED, TICKET_REFUNDED, TICKET_DISPUTED, TICKET_FORGED (no such page),
 * ALREADY_SCANNED, SCAN_UNDONE, NOT_YOUR_SCAN. `FollowDisputes` may come in any order: the highest revision
 * wins.
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

const closedWhy = ({ voided, suspended }: AdmissionState): TurnedAway | undefined => {
  if (voided) return voided === 'refunded' ? 'TICKET_REFUNDED' : 'TICKET_CANCELLED';
  return suspended ? 'TICKET_DISPUTED' : undefined;
};

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

export const admission: Aggregate<AdmissionState, AdmissionCommand, AdmissionEvent> = {
  name: 'admission',
  initial,
  evolve,
  decide,
};
