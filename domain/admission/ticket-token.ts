/**
 * A ticket's code: a payload and its Ed25519 signature, verifiable offline, without personal data. The token
 * is these 87 bytes as a 208-digit decimal number in `{BASE_URL}/T/{token}`, in upper case for large QR
 * modules (docs/decisions/121-ticket-codes.md). Older tokens, still valid, are base64url in
 * `{BASE_URL}/verify-ticket/{token}`. Numbers are big-endian.
 *
 * | bytes | field |
 * |---|---|
 * | 0 | version, 1 |
 * | 1–4 | key id: first four bytes of the SHA-256 of the raw public key |
 * | 5–10 | booking |
 * | 11 | page: 1 admits the whole party, each further page one person |
 * | 12–15 | listing |
 * | 16 | quantity |
 * | 17–18 | epoch: incremented by each reissue |
 * | 19–22 | expiry, seconds since 1970 |
 * | 23–86 | signature |
 */
export interface Ticket {
  readonly bookingId: number;
  readonly page: number;
  readonly listingId: number;
  readonly quantity: number;
  readonly epoch: number;
  /** Seconds since 1970, UTC. */
  readonly expiresAt: number;
}

const VERSION = 1;
export const PAYLOAD_BYTES = 23;
export const SIGNATURE_BYTES = 64;
export const TOKEN_BYTES = PAYLOAD_BYTES + SIGNATURE_BYTES;
export const KEY_ID_BYTES = 4;

/** Undefined if neither digits nor base64url. The bytes may still be no ticket. */
export const bytesOfToken = (token: string): Uint8Array | undefined => {
  if (/^[1-9]\d{207}$/.test(token)) {
    const hex = BigInt(token)
      .toString(16)
      .padStart(2 * TOKEN_BYTES, '0');
    return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  }
  return /^[\w-]{116}$/.test(token) ? bytesOfBase64url(token) : undefined;
};

export const bytesOfBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));

/** Milliseconds. */
export const TICKET_LIFETIME_AFTER_START = 24 * 3_600_000;

/** A day after the printed or the current start, whichever is later: codes mailed before a move must still admit. */
export const isExpired = (ticket: Pick<Ticket, 'expiresAt'>, startsAt: string, now: Date): boolean =>
  Math.max(ticket.expiresAt * 1000, Date.parse(startsAt) + TICKET_LIFETIME_AFTER_START) < now.getTime();

export const encodeTicket = (ticket: Ticket, keyId: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(PAYLOAD_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  bytes.set(keyId.subarray(0, KEY_ID_BYTES), 1);
  view.setUint16(5, Math.floor(ticket.bookingId / 2 ** 32));
  view.setUint32(7, ticket.bookingId % 2 ** 32);
  view.setUint8(11, ticket.page);
  view.setUint32(12, ticket.listingId);
  view.setUint8(16, ticket.quantity);
  view.setUint16(17, ticket.epoch);
  view.setUint32(19, ticket.expiresAt);
  return bytes;
};

/** Does not check the signature; undefined if it is not a ticket. */
export const decodeTicket = (
  bytes: Uint8Array,
): { ticket: Ticket; keyId: Uint8Array; payload: Uint8Array; signature: Uint8Array } | undefined => {
  if (bytes.length !== TOKEN_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION) return undefined;
  return {
    ticket: {
      bookingId: view.getUint16(5) * 2 ** 32 + view.getUint32(7),
      page: view.getUint8(11),
      listingId: view.getUint32(12),
      quantity: view.getUint8(16),
      epoch: view.getUint16(17),
      expiresAt: view.getUint32(19),
    },
    keyId: bytes.subarray(1, 1 + KEY_ID_BYTES),
    payload: bytes.subarray(0, PAYLOAD_BYTES),
    signature: bytes.subarray(PAYLOAD_BYTES),
  };
};
