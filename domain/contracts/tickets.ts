import * as z from 'zod/mini';
import { exact, id, LONGEST, text } from './fields.ts';

/** `/api/tickets/*`, the page behind a ticket's link, and the published keys. */

/** The token out of what was scanned or pasted: the part after `verify-ticket/` in a link, else the text itself. */
export const ticketTokenOf = (scanned: string): string => {
  const text = scanned.trim();
  return /verify-ticket\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
};

/** `POST /api/tickets/scan`. `eventId` and `gate`: where staff say they stand. `scanId`: a repeat with it, after a lost answer, is the same scan. */
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

/** Its answer: 200 for a refused ticket too. */
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

/** An item of `GET /api/tickets/recent-scans`: accepted ones, newest first. */
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

/** An item of `GET /api/tickets/refused-scans`: who was turned away, newest first. `code` and `error` say why. */
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

/** An item of `GET /api/tickets/gates`: an event that a gate may be for, the soonest first. Those whose tickets have expired are left out. */
export const gateEvent = scannedEvent;
export type GateEvent = z.infer<typeof gateEvent>;

/** `GET /api/tickets/verify/{token}`: what the page behind the link shows. It never admits, and names nobody. */
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
export const ticketParams = z.object({ token: exact(LONGEST.token, 1, 'Required') });

/** `GET /.well-known/ticket-keys.json`: with these anyone can check a ticket offline. */
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
