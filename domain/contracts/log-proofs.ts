import * as z from 'zod/mini';
import { call } from './call.ts';
import { countText, idParams, idText, LONGEST, text } from './fields.ts';

/** Largest entry number or tree size. */
const MOST = 1_000_000_000_000;

/** An entry as stored: `meta` and `data` are byte-exact texts with sealed personal values. */
export const storedEntry = z.object({
  id: z.string(),
  stream: z.string(),
  revision: z.int(),
  type: z.string(),
  version: z.int(),
  recordedAt: z.string(),
  meta: z.string(),
  data: z.string(),
});

export const receipt = z.object({
  format: z.literal('reprise-receipt/1'),
  /** Counted from 0 (RFC 9162); shown to people from 1. */
  index: z.int(),
  entry: storedEntry,
  /** Hashes from leaf to root, base64. */
  path: z.array(z.string()),
  /** The signed note of the path's root. */
  checkpoint: z.string(),
});
export type Receipt = z.infer<typeof receipt>;

/** A mismatch between log and tree. Entries are counted from 1. */
export const finding = z.object({
  /**
   * `changed`: the bytes differ (`now`: also its stream or revision); `missing`: deleted; `added`: an entry
   * unknown to the tree precedes it; `swapped`: exchanged with `other`; `moved`: entries up to `other` are
   * reordered; `unsigned`: an entry up to `other` was changed together with its leaf, so the checkpoint of
   * `other` entries has a different root; `short`: entries up to `other` were truncated with their leaves;
   * `torn`: tree hashes for entries up to `other` were changed or lost; `forged`: the checkpoint of that
   * size has no valid signature by the log's keys.
   */
  kind: z.enum(['changed', 'missing', 'added', 'swapped', 'moved', 'unsigned', 'short', 'torn', 'forged']),
  entry: z.int(),
  other: z.optional(z.int()),
  /** `stream@revision`; null if unknown. */
  name: z.nullable(z.string()),
  now: z.optional(z.string()),
});
export type Finding = z.infer<typeof finding>;

/** Newest first. */
export const checkpointKeys = z.object({
  /** The log's name; null until the first checkpoint. */
  origin: z.nullable(z.string()),
  keys: z.array(
    z.object({
      id: z.string(),
      algorithm: z.literal('Ed25519'),
      /** The 32 raw bytes, base64url. */
      publicKey: z.string(),
    }),
  ),
});

export const logCheck = z.object({
  id: z.int(),
  askedAt: z.string(),
  askedBy: z.string(),
  startedAt: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  compared: z.int(),
  size: z.nullable(z.int()),
  findings: z.nullable(z.array(finding)),
  error: z.nullable(z.string()),
});
export type LogCheck = z.infer<typeof logCheck>;

export const verification = z.object({
  size: z.int(),
  signedSize: z.int(),
  signedAt: z.nullable(z.string()),
  broken: z.nullable(z.string()),
  brokenAt: z.nullable(z.string()),
  checks: z.array(logCheck),
});
export type Verification = z.infer<typeof verification>;

export const proofCalls = {
  checkpoint: call('GET /api/log/checkpoint', {
    answer: 'text/plain',
    capability: 'browse',
    session: 'ignored',
  }),
  /** Not every size was signed. */
  checkpointOf: call('GET /api/log/checkpoints/{size}', {
    params: z.object({ size: countText(0, MOST) }),
    answer: 'text/plain',
    capability: 'browse',
    session: 'ignored',
  }),
  consistency: call('GET /api/log/consistency', {
    query: z.object({ from: countText(0, MOST), to: countText(0, MOST) }),
    answer: z.object({ path: z.array(z.string()) }),
    capability: 'browse',
    session: 'ignored',
  }),
  keys: call('GET /.well-known/checkpoint-keys.json', {
    answer: checkpointKeys,
    capability: 'browse',
    session: 'ignored',
  }),
  booking: call('GET /api/bookings/{id}/proof', {
    params: idParams(),
    answer: receipt,
    capability: 'use-bookings',
  }),
  /** Looks up the entry by event id, number (from 1), stream and revision, or booking id or reference (its placement). */
  entry: call('GET /api/audit/proof', {
    query: z.object({
      id: z.optional(z.uuid('Not an id of an event')),
      entry: z.optional(countText(1, MOST)),
      stream: z.optional(text(LONGEST.title)),
      revision: z.optional(countText(0, MOST)),
      booking: z.optional(idText()),
      reference: z.optional(text(LONGEST.title)),
    }),
    answer: receipt,
    capability: 'read-log',
  }),
  export: call('GET /api/audit/log', {
    answer: 'application/x-ndjson',
    capability: 'read-log',
    limit: 'export',
  }),
  verification: call('GET /api/audit/verification', { answer: verification, capability: 'read-log' }),
  check: call('POST /api/audit/verification', {
    answer: z.object({ id: z.int() }),
    status: [202],
    capability: 'read-log',
    limit: 'changes',
  }),
};
