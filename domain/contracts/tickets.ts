import * as z from 'zod/mini';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { exact, id, idParams, LONGEST, text } from './fields.ts';

/** The token out of what was scanned or pasted: the part after `verify-ticket/` in a link, else the text itself. */
export const ticketTokenOf = (scanned: string): string => {
  const text = scanned.trim();
  return /verify-ticket\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
};

/** `eventId` and `gate`: where staff say they stand. `scanId`: a repeat with it, after a lost answer, is the same scan. */
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

/** What a scan came to. */
export const scanResult = z.object({
  valid: z.boolean(),
  /** Whether this scan let somebody in. */
  scanned: z.boolean(),
  error: z.nullable(z.string()),
  /** The refusal's code of `domain/errors.ts`. */
  code: z.nullable(z.string()),
  event: z.nullable(scannedEvent),
  /** How many people this scan lets in (or the refused code stands for). */
  quantity: z.int(),
  user: z.nullable(z.object({ email: z.string() })),
  booking: z.nullable(z.object({ id: z.int(), reference: z.string() })),
  validationDetails: z.array(z.string()),
  /** Of the scan that counted: this one, or the earlier one that makes this one invalid. */
  scannedAt: z.nullable(z.string()),
  scannedBy: z.nullable(z.string()),
});
export type ScanResult = z.infer<typeof scanResult>;

/** An accepted scan. */
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

/** A scan that turned somebody away. `code` and `error` say why. */
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

/** An event that a gate may be for. */
export const gateEvent = scannedEvent;
export type GateEvent = z.infer<typeof gateEvent>;

/** What the page behind a ticket's link shows. */
export const ticketCheck = z.object({
  /** Whether we signed it. All else is null where we did not. */
  genuine: z.boolean(),
  /** What it is good for now. */
  standing: z.enum(['good', 'used', 'cancelled', 'refunded', 'reissued', 'expired', 'forged']),
  message: z.string(),
  event: z.nullable(scannedEvent),
  quantity: z.nullable(z.int()),
});
export type TicketCheck = z.infer<typeof ticketCheck>;

/** With these anyone can check a ticket offline. */
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
const door = { capability: 'scan-tickets' } as const;

/** The door, the ticket's document, the page behind its link, and the published keys. */
export const ticketCalls = {
  /** 200 for a refused ticket too. */
  scan: call('POST /api/tickets/scan', { body: scanRequest, answer: scanResult, limit: 'scan', ...door }),
  /** The soonest first. Those whose tickets have expired are left out. */
  gates: call('GET /api/tickets/gates', { answer: z.array(gateEvent), ...door }),
  /** The newest first. */
  recentScans: call('GET /api/tickets/recent-scans', {
    query: scansQuery,
    answer: z.array(recentScan),
    ...door,
  }),
  /** The newest first. */
  refusedScans: call('GET /api/tickets/refused-scans', {
    query: scansQuery,
    answer: z.array(refusedScan),
    ...door,
  }),
  /** The tickets of a booking, by the booking's id. */
  download: call('GET /api/tickets/{id}/download', {
    params: idParams(),
    answer: 'application/pdf',
    capability: 'use-bookings',
    limit: 'download',
  }),
  /** Never admits, and names nobody. */
  verify: call('GET /api/tickets/verify/{token}', {
    params: z.object({ token: exact(LONGEST.token, 1, 'Required') }),
    answer: ticketCheck,
    ...everybody,
  }),
  keys: call('GET /.well-known/ticket-keys.json', { answer: ticketKeys, ...everybody }),
};
