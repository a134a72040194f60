import { isSealed, openValue, type Place } from '#infra/event-log/codec.ts';
import type { KeyRef, KeyStore } from '#infra/keys/key-store.ts';

/** As the log keeps it: sealed with the person's key. */
export type SealedText = string;

/** With its place in the log, to which the seal is bound. */
export interface SealedField {
  readonly text: SealedText | null;
  readonly place: Place;
}

export const cancelReasonPlace = (bookingId: number): Place => ({
  stream: `booking-${bookingId}`,
  type: 'BookingCancelled',
  field: 'reason',
});

export const refundReasonPlace = (bookingId: number): Place => ({
  stream: `refund-${bookingId}`,
  type: 'RefundRequested',
  field: 'reason',
});

export const refundDecisionPlace = (bookingId: number, decision: 'denied' | 'approved'): Place => ({
  stream: `refund-${bookingId}`,
  type: decision === 'denied' ? 'RefundDenied' : 'RefundApproved',
  field: decision === 'denied' ? 'reason' : 'notes',
});

export const deletionReasonPlace = (accountId: string): Place => ({
  stream: `account-${accountId}`,
  type: 'AccountSoftDeleted',
  field: 'reason',
});

/** Text from before the field was sealed is not JSON; a rebuild replaces it. */
const parsed = (text: SealedText): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Null if the key was destroyed.
 * @throws SealBroken for a text that was changed or moved
 */
export const openTexts = async (
  keys: KeyStore,
  fields: readonly SealedField[],
): Promise<readonly (string | null)[]> => {
  const sealed = fields.map(({ text }) => (text === null ? null : parsed(text)));
  const refs: KeyRef[] = sealed.filter(isSealed).map(({ of, key }) => ({ subject: of, version: key }));
  // Keys cached before the fetch may have been evicted since.
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
