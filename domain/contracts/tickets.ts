import * as z from 'zod/mini';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { exact, id, idParams, LONGEST, text } from './fields.ts';

/** The token in scanned or pasted text: the part after `/T/` or `verify-ticket/` in a link, otherwise the whole text. */
export const ticketTokenOf = (scanned: string): string => {
  const text = scanned.trim();
  return /(?:verify-ticket|\/t)\/([^/?#\s]+)\/?(?:[?#\s]|$)/i.exec(text)?.[1] ?? text;
};

/** `POST /api/tickets/scan`. `eventId` and `gate` say where the scanner is. A repeat with the same `scanId`, after a lost answer, is the same scan. */
export const scanRequest = z.strictObject({
  encryptedData: exact(LONGEST.token, 1, 'Please enter a QR code to scan'),
  eventId: z.nullish(id()),
  gate: z.nullish(text(LONGEST.name)),
  scanId: z.nullish(z.uuid('Must be a UUID')),
});
export type ScanRequest = z.infer<typeof scanRequest>;

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
  /** Why it was refused: a code of `domain/errors.ts`. */
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
  gate: z.nullable(z.string()),
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

/** An event that the scanner can choose. */
export const gateEvent = scannedEvent;
export type GateEvent = z.infer<typeof gateEvent>;

/** What the page behind a ticket's code shows. */
export const ticketCheck = z.object({
  /** Whether the ticket was signed by this site. If not, `event` and `quantity` are null. */
  genuine: z.boolean(),
  /** Whether the ticket is valid now, and why not. */
  standing: z.enum(['good', 'used', 'cancelled', 'refunded', 'reissued', 'expired', 'forged']),
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

/** The newest first where no order is asked for. The search looks at event and customer. */
const scansQuery = listQuery(['time'], {});

const everybody = { capability: 'browse', session: 'ignored' } as const;
const scanning = { capability: 'scan-tickets' } as const;

/** The calls for scans, for downloading and checking tickets, and for the public keys. */
export const ticketCalls = {
  /** Answers 200 for a refused ticket too. */
  scan: call('POST /api/tickets/scan', { body: scanRequest, answer: scanResult, limit: 'scan', ...scanning }),
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
