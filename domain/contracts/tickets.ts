import * as z from 'zod/mini';
import { TURNED_AWAY } from '#domain/admission/events.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { exact, id, idParams, idText, instant, LONGEST, text } from './fields.ts';

/**
 * The token in scanned or pasted text: the part after `/T/` or `verify-ticket/` in a link, otherwise the whole text. Of a link that a scanner
 * typed for a keyboard of another country (`HTTPSÖ--T-T-…`) its digits are right.
 */
export const ticketTokenOf = (scanned: string): string => {
  const text = scanned.trim();
  return (
    /(?:verify-ticket|\/t)\/([^/?#\s]+)\/?(?:[?#\s]|$)/i.exec(text)?.[1] ?? /\d{208}/.exec(text)?.[0] ?? text
  );
};

/** `POST /api/tickets/scan`. `eventId` and `gate` say where the scanner is. A repeat with the same `scanId`, after a lost answer, is the same scan. */
export const scanRequest = z.strictObject({
  encryptedData: text(LONGEST.token, 'Please enter a QR code to scan'),
  eventId: z.nullish(id()),
  gate: z.nullish(text(LONGEST.name)),
  scanId: z.nullish(z.uuid('Must be a UUID')),
});
export type ScanRequest = z.infer<typeof scanRequest>;

/** `POST /api/tickets/admit`: lets a guest in who has no code, as the code of the whole party would. */
export const admitRequest = z.strictObject({
  bookingId: id(),
  eventId: z.nullish(id()),
  gate: z.nullish(text(LONGEST.name)),
  scanId: z.nullish(z.uuid('Must be a UUID')),
});
export type AdmitRequest = z.infer<typeof admitRequest>;

/** `POST /api/tickets/undo-scan`. `scannedAt` tells the scan from others of the same code. */
export const undoRequest = z.strictObject({
  bookingId: id(),
  page: z.int().check(z.minimum(1), z.maximum(255)),
  scannedAt: instant(),
  reason: text(LONGEST.reason, 'Please say why'),
});

/** The most scans in one `POST /api/tickets/offline-scans`. */
export const MOST_OFFLINE_SCANS = 50;
/** The longest that a scan may have waited on a device, in milliseconds. What waited longer counts as this old. */
export const LONGEST_WAIT = 7 * 86_400_000;

/** A scan that a gate decided without a network. */
export const offlineScan = z.strictObject({
  encryptedData: exact(LONGEST.token, 1, 'Please enter a QR code to scan'),
  gate: z.nullish(text(LONGEST.name)),
  scanId: z.uuid('Must be a UUID'),
  /** How long ago it was, in milliseconds: the device's clock may be wrong, or set right meanwhile. */
  ago: z.number().check(z.minimum(0), z.maximum(LONGEST_WAIT)),
  /** How many people were let in; 0 if it was refused. */
  admitted: z.int().check(z.minimum(0), z.maximum(255)),
  /** Why it was refused. */
  why: z.nullish(z.enum(['TICKET_USED', ...TURNED_AWAY])),
});
export type OfflineScan = z.infer<typeof offlineScan>;

/** What became of a scan that was made without a network. */
export const offlineOutcome = z.object({
  scanId: z.string(),
  /** `unknown`: the code is no ticket of this site, so that nothing could be recorded. */
  outcome: z.enum(['recorded', 'conflict', 'unknown']),
});
export type OfflineOutcome = z.infer<typeof offlineOutcome>;

const scannedEvent = z.object({
  id: z.int(),
  title: z.string(),
  venue: z.string(),
  date: z.string(),
  time: z.string(),
});

/** The result of a scan. */
export const scanResult = z.object({
  valid: z.boolean(),
  /** Whether this scan admitted somebody. */
  scanned: z.boolean(),
  error: z.nullable(z.string()),
  /** Why it was refused: a code of `domain/kernel/errors.ts`. */
  code: z.nullable(z.string()),
  event: z.nullable(scannedEvent),
  /** How many people this scan admits, or would admit if it were not refused. */
  quantity: z.int(),
  user: z.nullable(z.object({ email: z.string() })),
  booking: z.nullable(z.object({ id: z.int(), reference: z.string() })),
  validationDetails: z.array(z.string()),
  /** When and by whom the code was used: by this scan, or by the earlier one that makes this one invalid. */
  scannedAt: z.nullable(z.string()),
  scannedBy: z.nullable(z.string()),
});
export type ScanResult = z.infer<typeof scanResult>;

/** A scan that admitted people. */
export const recentScan = z.object({
  id: z.string(),
  scannedAt: z.string(),
  event: z.object({ title: z.string() }),
  user: z.object({ email: z.string() }),
  quantity: z.int(),
  scannedBy: z.string(),
  /** The account that scanned. */
  scannedById: z.nullable(z.string()),
  gate: z.nullable(z.string()),
  booking: z.object({ id: z.int(), reference: z.string() }),
  page: z.int(),
});
export type RecentScan = z.infer<typeof recentScan>;

/** A refused scan. `code` and `error` say why. */
export const refusedScan = z.object({
  id: z.string(),
  scannedAt: z.string(),
  event: z.object({ title: z.string() }),
  user: z.object({ email: z.string() }),
  code: z.string(),
  error: z.string(),
  scannedBy: z.string(),
  gate: z.nullable(z.string()),
});
export type RefusedScan = z.infer<typeof refusedScan>;

/** A scan as a conflict names it. */
const namedScan = z.object({ at: z.string(), scannedBy: z.string(), gate: z.nullable(z.string()) });

/** People whom a gate without a network let in although they should not have been. */
export const doorConflict = z.object({
  id: z.string(),
  /** When the copy was let in. */
  scannedAt: z.string(),
  event: z.object({ title: z.string() }),
  user: z.object({ email: z.string() }),
  booking: z.object({ id: z.int(), reference: z.string() }),
  /** How many people too many are in. */
  quantity: z.int(),
  code: z.string(),
  error: z.string(),
  /** The earlier and the later of both scans. Without a first one, `code` says why the copy should have been refused. */
  first: z.nullable(namedScan),
  copy: namedScan,
});
export type DoorConflict = z.infer<typeof doorConflict>;

/** How many people an event expects, how many of them are in, and how many are in who should not be. */
export const doorCount = z.object({
  eventId: z.int(),
  expected: z.int(),
  inside: z.int(),
  conflicts: z.int(),
});
export type DoorCount = z.infer<typeof doorCount>;

/** A booking that a guest without a code was found by. */
export const guest = z.object({
  bookingId: z.int(),
  reference: z.string(),
  name: z.string(),
  event: scannedEvent,
  quantity: z.int(),
  admitted: z.int(),
  status: z.enum(['confirmed', 'cancelled', 'refunded']),
  /** Whether the payment is disputed, so that the ticket admits nobody. */
  disputed: z.boolean(),
});
export type Guest = z.infer<typeof guest>;

/** An event that the scanner can choose. */
export const gateEvent = scannedEvent;
export type GateEvent = z.infer<typeof gateEvent>;

/** What the page behind a ticket's code shows. */
export const ticketCheck = z.object({
  /** Whether the ticket was signed by this site. If not, `event` and `quantity` are null. */
  genuine: z.boolean(),
  /** Whether the ticket is valid now, and why not. */
  standing: z.enum(['good', 'used', 'cancelled', 'refunded', 'disputed', 'reissued', 'expired', 'forged']),
  message: z.string(),
  event: z.nullable(scannedEvent),
  quantity: z.nullable(z.int()),
});
export type TicketCheck = z.infer<typeof ticketCheck>;

/** The public keys, with which anyone can verify a ticket offline. */
export const ticketKeys = z.object({
  keys: z.array(
    z.object({
      id: z.int(),
      algorithm: z.literal('Ed25519'),
      /** The 32 raw bytes, base64url. */
      publicKey: z.string(),
    }),
  ),
});
export type TicketKeys = z.infer<typeof ticketKeys>;

/** The tickets of an event as a device keeps them: numbers only, nobody's name. */
const keptEvent = z.object({
  ...scannedEvent.shape,
  startsAt: z.string(),
  zone: z.string(),
  /** Each booking's id, for how many people it is, and the epoch of its codes. */
  tickets: z.array(z.tuple([z.int(), z.int(), z.int()])),
  /** The bookings among them that were cancelled, and that were paid back. */
  cancelled: z.array(z.int()),
  refunded: z.array(z.int()),
  /** The bookings whose payment is disputed. */
  disputed: z.array(z.int()),
  /** The scans that admitted somebody. */
  entries: z.array(
    z.object({
      bookingId: z.int(),
      page: z.int(),
      quantity: z.int(),
      at: z.string(),
      gate: z.nullable(z.string()),
    }),
  ),
});
export type KeptEvent = z.infer<typeof keptEvent>;

/** What a gate needs to go on without a network. */
export const doorDay = z.object({
  /** When it was made. */
  at: z.string(),
  keys: ticketKeys.shape.keys,
  events: z.array(keptEvent),
});
export type DoorDay = z.infer<typeof doorDay>;

/** The newest first where no order is asked for. The search looks at event and customer. */
const scansQuery = listQuery(['time'], {});

const everybody = { capability: 'browse', session: 'ignored' } as const;
const scanning = { capability: 'scan-tickets' } as const;

/** The calls for scans, for downloading and checking tickets, and for the public keys. */
export const ticketCalls = {
  /** Answers 200 for a refused ticket too. */
  scan: call('POST /api/tickets/scan', { body: scanRequest, answer: scanResult, limit: 'scan', ...scanning }),
  /** Answers as a scan does. */
  admit: call('POST /api/tickets/admit', {
    body: admitRequest,
    answer: scanResult,
    limit: 'scan',
    ...scanning,
  }),
  /** The code then admits again. Door staff may undo their own scans; `undo-any-scan` allows others too. */
  undoScan: call('POST /api/tickets/undo-scan', {
    body: undoRequest,
    answer: said(),
    limit: 'changes',
    idempotent: true,
    ...scanning,
  }),
  /** Records what a gate did without a network. Each scan is recorded once, however often it is sent. */
  offlineScans: call('POST /api/tickets/offline-scans', {
    body: z.strictObject({
      scans: z.array(offlineScan).check(z.minLength(1), z.maxLength(MOST_OFFLINE_SCANS)),
    }),
    answer: z.array(offlineOutcome),
    limit: 'scan',
    ...scanning,
  }),
  /** The chosen event's tickets; without one, those of all events from a day ago to a day ahead. */
  day: call('GET /api/tickets/day', {
    query: z.object({ eventId: z.optional(idText()) }),
    answer: doorDay,
    ...scanning,
  }),
  counts: call('GET /api/tickets/counts', {
    query: z.object({ eventId: idText() }),
    answer: doorCount,
    ...scanning,
  }),
  /** At most 20 bookings, by name or reference. The log keeps who was shown which. */
  guests: call('GET /api/tickets/guests', {
    query: z.object({
      eventId: z.optional(idText()),
      search: text(LONGEST.search, 'Please enter a name or a reference'),
    }),
    answer: z.array(guest),
    limit: 'guests',
    ...scanning,
  }),
  /** The newest first. */
  conflicts: call('GET /api/tickets/conflicts', {
    query: scansQuery,
    answer: z.array(doorConflict),
    ...scanning,
  }),
  /** The soonest first, without events whose tickets have expired. */
  gates: call('GET /api/tickets/gates', { answer: z.array(gateEvent), ...scanning }),
  /** The newest first. */
  recentScans: call('GET /api/tickets/recent-scans', {
    query: scansQuery,
    answer: z.array(recentScan),
    ...scanning,
  }),
  /** The newest first. */
  refusedScans: call('GET /api/tickets/refused-scans', {
    query: scansQuery,
    answer: z.array(refusedScan),
    ...scanning,
  }),
  /** The tickets of a booking, by the booking's id. */
  download: call('GET /api/tickets/{id}/download', {
    params: idParams(),
    answer: 'application/pdf',
    capability: 'use-bookings',
    limit: 'download',
  }),
  /** Admits nobody, and tells no name. */
  verify: call('GET /api/tickets/verify/{token}', {
    params: z.object({ token: exact(LONGEST.token, 1, 'Required') }),
    answer: ticketCheck,
    ...everybody,
  }),
  keys: call('GET /.well-known/ticket-keys.json', { answer: ticketKeys, ...everybody }),
};
