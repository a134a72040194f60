import * as z from 'zod/mini';
import { call } from './call.ts';
import { countText, idParams, idText, LONGEST, text } from './fields.ts';

/** The largest number of an entry or size of a tree that a call takes. */
const MOST = 1_000_000_000_000;

/** An entry of the log as it is stored: `meta` and `data` are texts, byte for byte, and personal values in them are sealed. */
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

/** The proof that an entry is in the log: all that is needed to check it, but for the public key. */
export const receipt = z.object({
  format: z.literal('reprise-receipt/1'),
  /** The entry's number, counted from 0 as RFC 9162 does. People are told it from 1. */
  index: z.int(),
  entry: storedEntry,
  /** The hashes from the leaf to the root, base64. */
  path: z.array(z.string()),
  /** The checkpoint that the path leads to: a signed note. */
  checkpoint: z.string(),
});
export type Receipt = z.infer<typeof receipt>;

/** How a log differs from its tree. Entries are counted from 1. */
export const finding = z.object({
  /**
   * - `changed`: the entry has other bytes (`now`: it even stands in another place of a stream);
   * - `missing`: it is gone;
   * - `added`: one that the tree does not know stands before it;
   * - `swapped`: it and `other` stand in each other's place;
   * - `moved`: from it up to `other` the order is another;
   * - `unsigned`: some entry from it up to `other` was changed together with its leaf: the checkpoint of `other` entries has another root;
   * - `short`: entries from it up to `other` were cut off together with their leaves;
   * - `torn`: hashes by which the tree proves entries from it up to `other` were changed or lost;
   * - `forged`: the checkpoint of so many entries is signed by no key of the log.
   */
  kind: z.enum(['changed', 'missing', 'added', 'swapped', 'moved', 'unsigned', 'short', 'torn', 'forged']),
  entry: z.int(),
  other: z.optional(z.int()),
  /** The entry's stream and revision, as `stream@revision`; null where nobody knows. */
  name: z.nullable(z.string()),
  now: z.optional(z.string()),
});
export type Finding = z.infer<typeof finding>;

/** The public keys that verify checkpoints, newest first. */
export const checkpointKeys = z.object({
  /** The log's name in checkpoints; null until the first is signed. */
  origin: z.nullable(z.string()),
  keys: z.array(
    z.object({
      /** The key's id in checkpoints of this origin: 8 hexadecimal digits. */
      id: z.string(),
      algorithm: z.literal('Ed25519'),
      /** The 32 raw bytes, base64url. */
      publicKey: z.string(),
    }),
  ),
});

/** A comparison of the whole log with its tree. */
export const logCheck = z.object({
  id: z.int(),
  askedAt: z.string(),
  askedBy: z.string(),
  startedAt: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  compared: z.int(),
  size: z.nullable(z.int()),
  findings: z.nullable(z.array(finding)),
  /** Why it could not be done. */
  error: z.nullable(z.string()),
});
export type LogCheck = z.infer<typeof logCheck>;

/** Whether the log is proven. */
export const verification = z.object({
  /** How many entries the tree has, and how many of them the newest checkpoint covers. */
  size: z.int(),
  signedSize: z.int(),
  signedAt: z.nullable(z.string()),
  /** Why nothing is signed any more. */
  broken: z.nullable(z.string()),
  brokenAt: z.nullable(z.string()),
  /** The newest comparisons, newest first. */
  checks: z.array(logCheck),
});
export type Verification = z.infer<typeof verification>;

/** The calls with which anybody proves what the log holds. */
export const proofCalls = {
  /** The newest checkpoint, as a signed note. */
  checkpoint: call('GET /api/log/checkpoint', {
    answer: 'text/plain',
    capability: 'browse',
    session: 'ignored',
  }),
  /** The checkpoint of a tree of exactly this size. Not every size was signed. */
  checkpointOf: call('GET /api/log/checkpoints/{size}', {
    params: z.object({ size: countText(0, MOST) }),
    answer: 'text/plain',
    capability: 'browse',
    session: 'ignored',
  }),
  /** The hashes, base64, which prove that the tree of `to` entries begins with the tree of `from`. */
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
  /** The proof of the entry that placed one's own booking. */
  booking: call('GET /api/bookings/{id}/proof', {
    params: idParams(),
    answer: receipt,
    capability: 'use-bookings',
  }),
  /** The proof of any entry: by its event's id, by its number from 1, by its stream and revision, or that which placed a booking, by the booking's id or reference. */
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
  /** The whole log as it is stored, with its tree and its checkpoints: what `verify-log` checks. Recorded in the log. */
  export: call('GET /api/audit/log', {
    answer: 'application/x-ndjson',
    capability: 'read-log',
    limit: 'export',
  }),
  /** Whether the log is proven, and what the last comparisons found. */
  verification: call('GET /api/audit/verification', { answer: verification, capability: 'read-log' }),
  /** Has the whole log compared with its tree. Asked for again before it has begun, it is the same comparison. */
  check: call('POST /api/audit/verification', {
    answer: z.object({ id: z.int() }),
    status: [202],
    capability: 'read-log',
    limit: 'changes',
  }),
};
