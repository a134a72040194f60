import * as z from 'zod/mini';
import { TURNED_AWAY } from '#domain/admission/events.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { exact, id, idParams, idText, instant, LONGEST, text } from './fields.ts';

/**
 * The token after `/T/` or `verify-ticket/`, else the whole text. A scanner with another keyboard layout
 * (`HTTPSÖ--T-T-…`) still sends the right digits.
 */
export const ticketTokenOf = (scanned: string): string => {
  const text = scanned.trim();
  return (
    /(?:verify-ticket|\/t)\/([^/?#\s]+)\/?(?:[?#\s]|$)/i.exec(text)?.[1] ?? /\d{208}/.exec(text)?.[0] ?? text
  );
};

/** A repeat with the same `scanId` is the same scan. */
export const scanRequest = z.strictObject({
  encryptedData: text(LONGEST.token, 'Please enter a QR code to scan'),
  eventId: z.nullish(id()),
  gate: z.nullish(text(LONGEST.name)),
  scanId: z.nullish(z.uuid('Must be a UUID')),
});
export type ScanRequest = z.infer<typeof scanRequest>;

/** Admits like the code of the whole party. */
export const admitRequest = z.strictObject({
  bookingId: id(),
  eventId: z.nullish(id()),
  gate: z.nullish(text(LONGEST.name)),
  scanId: z.nullish(z.uuid('Must be a UUID')),
});
export type AdmitRequest = z.infer<typeof admitRequest>;

export const undoRequest = z.strictObject({
  bookingId: id(),
  page: z.int().check(z.minimum(1), z.maximum(255)),
  scannedAt: instant(),
  reason: text(LONGEST.reason, 'Please say why'),
});

export const MOST_OFFLINE_SCANS = 50;
/** Milliseconds; an older offline scan counts as this old. */
export const LONGEST_WAIT = 7 * 86_400_000;

export const offlineScan = z.strictObject({
  encryptedData: exact(LONGEST.token, 1, 'Please enter a QR code to scan'),
  gate: z.nullish(text(LONGEST.name)),
  scanId: z.uuid('Must be a UUID'),
  /** Milliseconds of age: the device's clock may be wrong, or corrected meanwhile. */
  ago: z.number().check(z.minimum(0), z.maximum(LONGEST_WAIT)),
  admitted: z.int().check(z.minimum(0), z.maximum(255)),
  why: z.nullish(z.enum(['TICKET_USED', ...TURNED_AWAY])),
});
export type OfflineScan = z.infer<typeof offlineScan>;

export const offlineOutcome = z.object({
  scanId: z.string(),
  /** `unknown`: no ticket of this site, so nothing is recorded. */
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

export const scanResult = z.object({
  valid: z.boolean(),
  scanned: z.boolean(),
  error: z.nullable(z.string()),
  code: z.nullable(z.string()),
  event: z.nullable(scannedEvent),
  quantity: z.int(),
  user: z.nullable(z.object({ email: z.string() })),
  booking: z.nullable(z.object({ id: z.int(), reference: z.string() })),
  validationDetails: z.array(z.string()),
  scannedAt: z.nullable(z.string()),
  scannedBy: z.nullable(z.string()),
});
export type ScanResult = z.infer<typeof scanResult>;

export const recentScan = z.object({
  id: z.string(),
  scannedAt: z.string(),
  event: z.object({ title: z.string() }),
  user: z.object({ email: z.string() }),
  quantity: z.int(),
  scannedBy: z.string(),
  scannedById: z.nullable(z.string()),
  gate: z.nullable(z.string()),
  booking: z.object({ id: z.int(), reference: z.string() }),
  page: z.int(),
});
export type RecentScan = z.infer<typeof recentScan>;

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

const namedScan = z.object({ at: z.string(), scannedBy: z.string(), gate: z.nullable(z.string()) });

export const doorConflict = z.object({
  id: z.string(),
  scannedAt: z.string(),
  event: z.object({ title: z.string() }),
  user: z.object({ email: z.string() }),
  booking: z.object({ id: z.int(), reference: z.string() }),
  quantity: z.int(),
  code: z.string(),
  error: z.string(),
  /** Earlier and later scan. Without `first`, `code` says why the copy should have been refused. */
  first: z.nullable(namedScan),
  copy: namedScan,
});
export type DoorConflict = z.infer<typeof doorConflict>;

export const doorCount = z.object({
  eventId: z.int(),
  expected: z.int(),
  inside: z.int(),
  conflicts: z.int(),
});
export type DoorCount = z.infer<typeof doorCount>;

export const guest = z.object({
  bookingId: z.int(),
  reference: z.string(),
  name: z.string(),
  event: scannedEvent,
  quantity: z.int(),
  admitted: z.int(),
  status: z.enum(['confirmed', 'cancelled', 'refunded']),
  /** Blocks admission. */
  disputed: z.boolean(),
});
export type Guest = z.infer<typeof guest>;

export const gateEvent = scannedEvent;
export type GateEvent = z.infer<typeof gateEvent>;

export const ticketCheck = z.object({
  /** Signed by this site. If not, `event` and `quantity` are null. */
  genuine: z.boolean(),
  standing: z.enum(['good', 'used', 'cancelled', 'refunded', 'disputed', 'reissued', 'expired', 'forged']),
  message: z.string(),
  event: z.nullable(scannedEvent),
  quantity: z.nullable(z.int()),
});
export type TicketCheck = z.infer<typeof ticketCheck>;

/** To verify tickets offline. */
export const ticketKeys = z.object({
  keys: z.array(
    z.object({
      id: z.int(),
      algorithm: z.literal('Ed25519'),
      publicKey: z.string(),
    }),
  ),
});
export type TicketKeys = z.infer<typeof ticketKeys>;

/** Kept on devices: numbers only, no names. */
const keptEvent = z.object({
  ...scannedEvent.shape,
  startsAt: z.string(),
  zone: z.string(),
  /** Booking id, number of people, and epoch of the codes. */
  tickets: z.array(z.tuple([z.int(), z.int(), z.int()])),
  /** Booking ids. */
  cancelled: z.array(z.int()),
  refunded: z.array(z.int()),
  disputed: z.array(z.int()),
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

export const doorDay = z.object({
  at: z.string(),
  keys: ticketKeys.shape.keys,
  events: z.array(keptEvent),
});
export type DoorDay = z.infer<typeof doorDay>;

const scansQuery = listQuery(['time'], {});

const everybody = { capability: 'browse', session: 'ignored' } as const;
const scanning = { capability: 'scan-tickets' } as const;

export const ticketCalls = {
  scan: call('POST /api/tickets/scan', { body: scanRequest, answer: scanResult, limit: 'scan', ...scanning }),
  admit: call('POST /api/tickets/admit', {
    body: admitRequest,
    answer: scanResult,
    limit: 'scan',
    ...scanning,
  }),
  /** The code admits again. Door staff may undo their own scans; `undo-any-scan` covers all. */
  undoScan: call('POST /api/tickets/undo-scan', {
    body: undoRequest,
    answer: said(),
    limit: 'changes',
    idempotent: true,
    ...scanning,
  }),
  /** Records each scan once, however often it is sent. */
  offlineScans: call('POST /api/tickets/offline-scans', {
    body: z.strictObject({
      scans: z.array(offlineScan).check(z.minLength(1), z.maxLength(MOST_OFFLINE_SCANS)),
    }),
    answer: z.array(offlineOutcome),
    limit: 'scan',
    ...scanning,
  }),
  /** Of one event, or of all from a day ago to a day ahead. */
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
  /** By name or reference, at most 20. The bookings shown are logged. */
  guests: call('GET /api/tickets/guests', {
    query: z.object({
      eventId: z.optional(idText()),
      search: text(LONGEST.search, 'Please enter a name or a reference'),
    }),
    answer: z.array(guest),
    limit: 'guests',
    ...scanning,
  }),
  /** Newest first. */
  conflicts: call('GET /api/tickets/conflicts', {
    query: scansQuery,
    answer: z.array(doorConflict),
    ...scanning,
  }),
  gates: call('GET /api/tickets/gates', { answer: z.array(gateEvent), ...scanning }),
  /** Newest first. */
  recentScans: call('GET /api/tickets/recent-scans', {
    query: scansQuery,
    answer: z.array(recentScan),
    ...scanning,
  }),
  /** Newest first. */
  refusedScans: call('GET /api/tickets/refused-scans', {
    query: scansQuery,
    answer: z.array(refusedScan),
    ...scanning,
  }),
  download: call('GET /api/tickets/{id}/download', {
    params: idParams(),
    answer: 'application/pdf',
    capability: 'use-bookings',
    limit: 'download',
  }),
  verify: call('GET /api/tickets/verify/{token}', {
    params: z.object({ token: exact(LONGEST.token, 1, 'Required') }),
    answer: ticketCheck,
    ...everybody,
  }),
  keys: call('GET /.well-known/ticket-keys.json', { answer: ticketKeys, ...everybody }),
};
