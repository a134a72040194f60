/**
 * While online, the day's tickets are fetched and kept on the device, by number and without names; offline,
 * they are verified and decided here, and scans are queued. Tabs share the data. Sign-out wipes it; an
 * expired session does not, so that the queue can be sent after the next sign-in.
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
import { ask, call } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { serverNow } from '#web/lib/clock.ts';
import { failureOf } from '#web/lib/failure.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { alone } from '#web/lib/offline-store.ts';
import { openChannel } from '#web/lib/storage.ts';
import { keepPage } from './keep-page.ts';
import { forgetDoor, doorStore as store } from './kept-door.ts';
import { canVerify, verifyOffline } from './verify-offline.ts';

/** `eventId` and `accountId` are those for which the list was fetched. */
interface KeptDay {
  readonly accountId: string;
  readonly eventId: number | undefined;
  readonly day: DoorDay;
  /** Offset of the server's clock in milliseconds; absent in lists stored by an older release. */
  readonly ahead?: number;
}

export interface Post {
  readonly accountId: string;
  readonly eventId: number | undefined;
}

export interface OfflineState {
  readonly isOffline: boolean;
  /** ISO instant; undefined without a list. */
  readonly listedAt: string | undefined;
  readonly eventId: number | undefined;
  readonly waiting: number;
  readonly conflicts: number;
  readonly isAble: boolean;
  readonly isLasting: boolean;
  readonly isOutdated: boolean;
}

const DAY = 'day';

let state: OfflineState = {
  ...{ isOffline: false, listedAt: undefined, eventId: undefined, waiting: 0, conflicts: 0 },
  ...{ isAble: true, isLasting: true, isOutdated: false },
};
const listeners = new Set<() => void>();
const change = (changed: Partial<OfflineState>): void => {
  state = { ...state, ...changed, isLasting: store.isLasting };
  for (const listener of listeners) listener();
};

export const offlineState = (): OfflineState => state;
export const onOfflineState = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const read = async () => {
  const all = await store.entries();
  const kept = all.find(([key]) => key === DAY)?.[1] as KeptDay | undefined;
  const scans = all.flatMap(([key, value]) => (key === DAY ? [] : [value as KeptScan]));
  return { kept, scans };
};
const isWaiting = ({ sent }: KeptScan): boolean => !sent;
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

const sendWaiting = async (scans: readonly KeptScan[]): Promise<number> => {
  const waiting = scans.filter(isWaiting).sort((a, b) => a.at - b.at);
  if (waiting.length === 0) return 0;
  // Only for the server's time, carried by every answer: the device's clock may have been changed.
  await ask(authCalls.csrfToken);
  let conflicts = 0;
  for (let from = 0; from < waiting.length; from += MOST_OFFLINE_SCANS) {
    const batch = waiting.slice(from, from + MOST_OFFLINE_SCANS);
    const outcomes = await call(ticketCalls.offlineScans, {
      body: {
        scans: batch.map(({ token, scanId, gate, admitted, why, at }) => ({
          ...{ encryptedData: token, scanId, admitted, why },
          // An older release stored blank names, and the server would refuse the whole batch.
          gate: gate?.trim() || null,
          ago: Math.min(LONGEST_WAIT, Math.max(0, serverNow() - at)),
        })),
      },
    });
    for (const { scanId, outcome } of outcomes) {
      const scan = batch.find((one) => one.scanId === scanId);
      if (scan && outcome !== 'unknown') await store.set(scanId, { ...scan, sent: true });
      else await store.remove([scanId]);
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

const exchange = async (post: Post): Promise<void> => {
  const conflicts = await sendWaiting((await read()).scans);
  const sent = (await read()).scans.filter(({ sent }) => sent);
  const { accountId, eventId } = post;
  const answer = await ask(ticketCalls.day, { query: { eventId } });
  const day: DoorDay = await answer.json();
  if (isLeaving) return;
  const now = Date.now();
  await store.set(DAY, { accountId, eventId, day, ahead: serverNow(now) - now } satisfies KeptDay);
  // The new list includes them.
  if (!answer.headers.has(headers.stale)) await store.remove(sent.map(({ scanId }) => scanId));
  change({
    ...{ isOffline: false, conflicts: state.conflicts + conflicts },
    isAble: await canVerify(day.keys),
    isOutdated: await keepPage(),
  });
};

/** During sign-out nothing may be stored any more. */
let isLeaving = false;
let running: Promise<unknown> = Promise.resolve();

/** Sends queued scans, then refetches the list; one run at a time across all tabs. Resolves to the error, if any. */
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

export const refused: ScanResult = {
  ...{ valid: false, scanned: false, error: null, code: null, event: null, quantity: 1, user: null },
  ...{ booking: null, validationDetails: [], scannedAt: null, scannedBy: null },
};
const NO_NETWORK = 'Checked without a network';

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

interface Read {
  readonly token: string;
  readonly scanId: string;
  readonly gate: string | null;
}

/** Undefined if the device can't decide: no list of the ticket's event, or an old browser. */
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
      // A page opened offline has not heard the server's time itself, so use the list's offset.
      at: Date.now() + (kept.ahead ?? 0),
      sent: false,
    };
    await store.set(scanId, scan);
    await look(post);
    tellOtherTabs();
    return answerOf(verdict, scan);
  });

/** The device's list doesn't include an online admission yet. Without a token it was the whole party. */
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
  await store.set(scanId, scan);
};

/** Resolves to false, without wiping or signing out, if queued scans can't be sent. */
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

export const leave = async (signOut: () => Promise<void>): Promise<void> => {
  isLeaving = true;
  try {
    await wipe();
    await signOut();
  } finally {
    isLeaving = false;
  }
};

const wipe = async (): Promise<void> => {
  await forgetDoor();
  change({ listedAt: undefined, waiting: 0, conflicts: 0 });
  tellOtherTabs();
};
