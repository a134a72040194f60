/** Opens the sealed texts that read models keep, such as the reason of a cancellation, for a reader who may see them. */
import { isSealed, openValue, type Place } from '#infra/event-log/sealing.ts';
import type { KeyRef, KeyStore } from '#infra/keys/key-store.ts';

/** A personal value as the log keeps it: sealed with the person's key. `openTexts` opens it. */
export type SealedText = string;

/** A sealed column's value, and the place in the log that it came from, which the seal is bound to. */
export interface SealedField {
  readonly text: SealedText | null;
  readonly place: Place;
}

/** Where a booking's `cancel_reason` was sealed. */
export const cancelReasonPlace = (bookingId: number): Place => ({
  stream: `booking-${bookingId}`,
  type: 'BookingCancelled',
  field: 'reason',
});

/** Where a refund's `reason` was sealed. */
export const refundReasonPlace = (bookingId: number): Place => ({
  stream: `refund-${bookingId}`,
  type: 'RefundRequested',
  field: 'reason',
});

/** Where a refund's `denial_reason` was sealed, or the `notes` of its approval. */
export const refundDecisionPlace = (bookingId: number, decision: 'denied' | 'approved'): Place => ({
  stream: `refund-${bookingId}`,
  type: decision === 'denied' ? 'RefundDenied' : 'RefundApproved',
  field: decision === 'denied' ? 'reason' : 'notes',
});

/** Where an account's `deletion_reason` was sealed. */
export const deletionReasonPlace = (accountId: string): Place => ({
  stream: `account-${accountId}`,
  type: 'AccountSoftDeleted',
  field: 'reason',
});

/** A value that is no JSON was written before its field was sealed. A rebuild replaces it. */
const parsed = (text: SealedText): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Opens many texts with one query for their keys. A text whose key was destroyed comes out as null, like one that never existed.
 * @throws SealBroken for a text that was changed, or moved to another place
 */
export const openTexts = async (
  keys: KeyStore,
  fields: readonly SealedField[],
): Promise<readonly (string | null)[]> => {
  const sealed = fields.map(({ text }) => (text === null ? null : parsed(text)));
  const refs: KeyRef[] = sealed.filter(isSealed).map(({ of, key }) => ({ subject: of, version: key }));
  // All from this answer: by the time the missing ones have come, those that were at hand may be so no longer.
  const found = refs.length > 0 ? await keys.fetch(refs) : [];
  let next = 0;
  return fields.map(({ place }, index) => {
    const value = sealed[index];
    if (!isSealed(value)) return typeof value === 'string' ? value : null;
    const key = found[next++] ?? 'gone';
    if (key === 'gone') return null;
    const opened = openValue(key, place, value);
    return typeof opened === 'string' ? opened : null;
  });
};
