import * as z from 'zod/mini';
import { call } from './call.ts';
import { countText, idParams, idText, LONGEST, text } from './fields.ts';

const MOST = 1_000_000_000_000;

/** As stored: `meta` and `data` are byte-exact, with sealed personal values. */
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
  /** From 0 (RFC 9162); people see it from 1. */
  index: z.int(),
  entry: storedEntry,
  /** Hashes from leaf to root, base64. */
  path: z.array(z.string()),
  checkpoint: z.string(),
});
export type Receipt = z.infer<typeof receipt>;

/** A mismatch between log and tree. Entries count from 1. */
export const finding = z.object({
  /**
   * `changed`: other bytes (`now`: or another stream or revision); `missing`: deleted; `added`: unknown to
   * the tree, and before this entry; `swapped`: with `other`; `moved`: in another order up to `other`;
   * `unsigned`: an entry up to `other` was changed with its leaf, so that checkpoint has another root;
   * `short`: gone up to `other`, with their leaves; `torn`: tree hashes up to `other` were changed or lost;
   * `forged`: no key of the log signed the checkpoint.
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
  /** Finds the entry by event id, number (from 1), stream and revision, or booking (its placement). */
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
