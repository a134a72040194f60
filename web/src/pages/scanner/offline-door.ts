/**
 * The door without a network. While there is one, the day's tickets are fetched now and then and kept on the device, in numbers and
 * without names. Without one, tickets are verified and decided here, and the scans are kept until they can be sent. All tabs of a device
 * share what is kept. It is wiped at sign-out; a session that has lapsed keeps it, so that the scans can be sent after the next sign-in.
 */

import { bytesOfToken, decodeTicket } from '#domain/admission/ticket-token.ts';
import { decideOffline, type KeptScan, type OfflineVerdict } from '#domain/answers/offline-door.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { headers } from '#domain/contracts/envelope.ts';
import {
  type DoorDay,
  LONGEST_WAIT,
  MOST_OFFLINE_SCANS,
  type ScanResult,
  ticketCalls,
} from '#domain/contracts/tickets.ts';
import { errors } from '#domain/kernel/errors.ts';
import { ask, call } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { failureOf } from '../../api/failure.ts';
import { keyOf } from '../../api/key-of.ts';
import { queryClient } from '../../api/queries.ts';
import { alone } from '../../lib/shelf.ts';
import { openChannel } from '../../lib/storage.ts';
import { moment } from '../../words/when.ts';
import { keepPage } from './keep-page.ts';
import { forgetDoor, doorShelf as shelf } from './kept-door.ts';
import { canVerify, verifyOffline } from './verify-offline.ts';

/** The tickets on the device. `eventId` is the event that they were fetched for, `accountId` who fetched them. */
interface KeptDay {
  readonly accountId: string;
  readonly eventId: number | undefined;
  readonly day: DoorDay;
  /** How far the server's clock was ahead of the device's, in milliseconds. A list that an older release has kept does not say it. */
  readonly ahead?: number;
}

/** Who stands at the gate, and what it is for. */
export interface Post {
  readonly accountId: string;
  readonly eventId: number | undefined;
}

/** What staff are told of it. */
export interface OfflineState {
  /** The last thing that was asked got no answer. */
  readonly isOffline: boolean;
  /** When the list of tickets was made: an ISO instant; undefined without a list. */
  readonly listedAt: string | undefined;
  /** The event of the gate that the list is for. */
  readonly eventId: number | undefined;
  /** How many scans were not sent yet. */
  readonly waiting: number;
  /** How many of those that were sent are conflicts. */
  readonly conflicts: number;
  /** Whether this browser can verify tickets. */
  readonly isAble: boolean;
  /** Whether list and scans outlive this tab. */
  readonly isLasting: boolean;
  /** Whether the site has a newer release than the page that is open. */
  readonly isOutdated: boolean;
}

const DAY = 'day';

let state: OfflineState = {
  ...{ isOffline: false, listedAt: undefined, eventId: undefined, waiting: 0, conflicts: 0 },
  ...{ isAble: true, isLasting: true, isOutdated: false },
};
const listeners = new Set<() => void>();
const change = (changed: Partial<OfflineState>): void => {
  state = { ...state, ...changed, isLasting: shelf.isLasting };
  for (const listener of listeners) listener();
};

/** How the door stands without a network, at this moment. */
export const offlineState = (): OfflineState => state;
/** Calls a listener whenever the state changes. Returns what ends that. */
export const onOfflineState = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** All that is kept, as of one moment. */
const read = async () => {
  const all = await shelf.entries();
  const kept = all.find(([key]) => key === DAY)?.[1] as KeptDay | undefined;
  const scans = all.flatMap(([key, value]) => (key === DAY ? [] : [value as KeptScan]));
  return { kept, scans };
};
const isWaiting = ({ sent }: KeptScan): boolean => !sent;
/** Whether the list is this person's and has what their gate is for. */
const covers = (kept: KeptDay | undefined, { accountId, eventId }: Post): kept is KeptDay =>
  kept?.accountId === accountId &&
  (kept.eventId === eventId || kept.day.events.some(({ id }) => id === eventId));

const look = async (post: Post): Promise<void> => {
  const { kept, scans } = await read();
  const listedAt = covers(kept, post) ? kept.day.at : undefined;
  change({ waiting: scans.filter(isWaiting).length, listedAt, eventId: post.eventId });
};

let posted: Post | undefined;
const tellOtherTabs = openChannel('door', () => posted && look(posted));

/** Sends the scans that wait, the oldest first. Resolves to how many are conflicts. */
const sendWaiting = async (scans: readonly KeptScan[]): Promise<number> => {
  const waiting = scans.filter(isWaiting).sort((a, b) => a.at - b.at);
  if (waiting.length === 0) return 0;
  // Only for the server's time, which every answer tells: the device's clock may have been set since the last one.
  await ask(authCalls.csrfToken);
  let conflicts = 0;
  for (let from = 0; from < waiting.length; from += MOST_OFFLINE_SCANS) {
    const batch = waiting.slice(from, from + MOST_OFFLINE_SCANS);
    const outcomes = await call(ticketCalls.offlineScans, {
      body: {
        scans: batch.map(({ token, scanId, gate, admitted, why, at }) => ({
          ...{ encryptedData: token, scanId, admitted, why },
          // A name of spaces, as an older release kept it, would have the server refuse all of them.
          gate: gate?.trim() || null,
          ago: Math.min(LONGEST_WAIT, Math.max(0, serverNow() - at)),
        })),
      },
    });
    for (const { scanId, outcome } of outcomes) {
      const scan = batch.find((one) => one.scanId === scanId);
      if (scan && outcome !== 'unknown') await shelf.set(scanId, { ...scan, sent: true });
      else await shelf.remove([scanId]);
      if (outcome === 'conflict') conflicts += 1;
    }
  }
  for (const stale of [
    ticketCalls.recentScans,
    ticketCalls.refusedScans,
    ticketCalls.conflicts,
    ticketCalls.counts,
  ])
    queryClient.invalidateQueries({ queryKey: keyOf(stale) });
  return conflicts;
};

/** Sends what waits, and fetches the list anew. @throws what the calls throw */
const exchange = async (post: Post): Promise<void> => {
  const conflicts = await sendWaiting((await read()).scans);
  const sent = (await read()).scans.filter(({ sent }) => sent);
  const { accountId, eventId } = post;
  const answer = await ask(ticketCalls.day, { query: { eventId } });
  const day: DoorDay = await answer.json();
  if (isLeaving) return;
  const now = Date.now();
  await shelf.set(DAY, { accountId, eventId, day, ahead: serverNow(now) - now } satisfies KeptDay);
  // The list has them by now.
  if (!answer.headers.has(headers.stale)) await shelf.remove(sent.map(({ scanId }) => scanId));
  change({
    ...{ isOffline: false, conflicts: state.conflicts + conflicts },
    isAble: await canVerify(day.keys),
    isOutdated: await keepPage(),
  });
};

/** Whether somebody signs out right now: nothing is kept any more. */
let isLeaving = false;
let running: Promise<unknown> = Promise.resolve();

/** Sends what waits, and fetches the list anew. One at a time on the whole device. Resolves to what was in the way, if anything was. */
export const synchronize = (post: Post): Promise<unknown> => {
  posted = post;
  running = running.then(async () => {
    await look(post);
    try {
      await alone('reprise-door-exchange', () => exchange(post));
      return undefined;
    } catch (error) {
      change({ isOffline: failureOf(error) !== 'refused' });
      return error;
    } finally {
      await look(post);
      tellOtherTabs();
    }
  });
  return running;
};

/** A result that admits nobody. */
export const refused: ScanResult = {
  ...{ valid: false, scanned: false, error: null, code: null, event: null, quantity: 1, user: null },
  ...{ booking: null, validationDetails: [], scannedAt: null, scannedBy: null },
};
const NO_NETWORK = 'Checked without a network';

/** What a scan without a network answers. */
const answerOf = (
  verdict: OfflineVerdict,
  { page, bookingId, at }: Pick<KeptScan, 'page' | 'bookingId' | 'at'>,
): ScanResult => {
  const { event, quantity, admitted, why, first, listed } = verdict;
  const used =
    first && `Already scanned at ${moment(first.at, event?.zone)}${first.gate ? `, ${first.gate}` : ''}`;
  return {
    ...refused,
    ...{ valid: admitted > 0, scanned: admitted > 0, code: why },
    error: why && (used ?? errors[why].message),
    event: event ?? null,
    quantity: admitted || (page === 1 ? quantity : 1),
    booking: { id: bookingId, reference: '' },
    validationDetails: [
      NO_NETWORK,
      page === 1 ? `For the whole party of ${quantity}` : 'For one person of the party',
      ...(listed || !event ? [] : ['Bought after this gate’s list was made']),
    ],
    scannedAt: first?.at ?? (admitted > 0 ? new Date(at).toISOString() : null),
  };
};

/** A code that was read. */
interface Read {
  readonly token: string;
  readonly scanId: string;
  readonly gate: string | null;
}

/** Decides a scan on this device, and keeps it to be sent. Resolves to undefined where the device can't: without a list of the ticket's event, or in an old browser. */
export const scanOffline = ({ token, scanId, gate }: Read, post: Post): Promise<ScanResult | undefined> =>
  alone('reprise-door-scan', async () => {
    const { kept, scans } = await read();
    if (!covers(kept, post) || !(await canVerify(kept.day.keys))) return undefined;
    const ticket = await verifyOffline(token, kept.day.keys);
    change({ isOffline: true });
    if (!ticket)
      return {
        ...refused,
        code: 'TICKET_FORGED',
        error: errors.TICKET_FORGED.message,
        validationDetails: [NO_NETWORK],
      };
    const others = scans.filter((one) => one.scanId !== scanId);
    const verdict = decideOffline(kept.day, others, ticket, post.eventId);
    if (!verdict) return undefined;
    const { bookingId, page } = ticket;
    const { admitted, why } = verdict;
    const scan: KeptScan = {
      scanId,
      token,
      bookingId,
      page,
      admitted,
      why,
      gate,
      // A page that was opened without a network has not heard the time itself.
      at: Date.now() + (kept.ahead ?? 0),
      sent: false,
    };
    await shelf.set(scanId, scan);
    await look(post);
    tellOtherTabs();
    return answerOf(verdict, scan);
  });

/** Keeps that somebody was let in with a network, for the list that the device has does not know it yet. Without a token it was the whole party. */
export const admittedOnline = async (
  { token = '', scanId, gate }: Partial<Read> & Pick<Read, 'scanId' | 'gate'>,
  { booking, quantity }: ScanResult,
): Promise<void> => {
  const bytes = bytesOfToken(token);
  const page = (bytes && decodeTicket(bytes)?.ticket.page) ?? 1;
  if (!booking) return;
  const scan: KeptScan = {
    ...{ scanId, token, bookingId: booking.id, page, admitted: quantity, why: null, gate },
    ...{ at: serverNow(), sent: true },
  };
  await shelf.set(scanId, scan);
};

/**
 * Sends what waits, removes all from the device, and signs out. Resolves to false, and leaves all as it is, where something could not
 * be sent.
 */
export const handOver = async (signOut: () => Promise<void>): Promise<boolean> => {
  if ((await read()).scans.some(isWaiting)) {
    try {
      await alone('reprise-door-exchange', async () => sendWaiting((await read()).scans));
    } catch {
      return false;
    }
  }
  await leave(signOut);
  return true;
};

/** Removes all from the device, and signs out. */
export const leave = async (signOut: () => Promise<void>): Promise<void> => {
  isLeaving = true;
  try {
    await wipe();
    await signOut();
  } finally {
    isLeaving = false;
  }
};

/** Removes the list and all scans from the device. */
const wipe = async (): Promise<void> => {
  await forgetDoor();
  change({ listedAt: undefined, waiting: 0, conflicts: 0 });
  tellOtherTabs();
};
