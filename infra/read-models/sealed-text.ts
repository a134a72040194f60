/** Opens the sealed text that read models keep (a reason, an address), when somebody who may reads it. */
import { isSealed, openValue, type Place } from '#infra/event-log/sealing.ts';
import type { KeyRef, KeyStore } from '#infra/keys/key-store.ts';

/** A personal value as the log holds it, sealed with its subject's key; `openTexts` opens it. */
export type SealedText = string;

/** A column's value, and the field of the event that it came from: that place is part of the seal. */
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

/** Where what was said with a refund's last decision was sealed: its `denial_reason`, or the `notes` of an approval. */
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

/** Where an audit row's `ip` was sealed: with its correlation. */
export const addressPlace = (correlationId: string): Place => ({
  stream: correlationId,
  type: 'meta',
  field: 'actor.ip',
});

/** Text that is no JSON was written before its field was sealed, and stays so until a rebuild is done. */
const parsed = (text: SealedText): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Opens many at once, with one query for their keys. A text whose key is gone comes out as null, as one that was
 * never there does. @throws SealBroken for bytes that were changed or moved
 */
export const openTexts = async (
  keys: KeyStore,
  fields: readonly SealedField[],
): Promise<readonly (string | null)[]> => {
  const sealed = fields.map(({ text }) => (text === null ? null : parsed(text)));
  const refs: KeyRef[] = sealed.filter(isSealed).map(({ of, key }) => ({ subject: of, version: key }));
  const missing = refs.filter((ref) => keys.opening(ref) === undefined);
  if (missing.length > 0) await keys.fetch(missing);
  return fields.map(({ place }, index) => {
    const value = sealed[index];
    if (!isSealed(value)) return typeof value === 'string' ? value : null;
    const key = keys.opening({ subject: value.of, version: value.key });
    if (key === undefined || key === 'gone') return null;
    const opened = openValue(key, place, value);
    return typeof opened === 'string' ? opened : null;
  });
};
