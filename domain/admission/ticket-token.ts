/**
 * A ticket, as its code tells it. The code is 87 bytes: 23 bytes about the ticket and an Ed25519 signature over them. It holds no personal
 * data and can be verified offline.
 *
 * The token is these bytes as one number of 208 decimal digits, in the link `{BASE_URL}/T/{token}` in upper case: a QR code holds digits
 * and capitals in the least space, so its modules are larger and easier to read (docs/decisions/120-door.md). Older tokens are base64url,
 * in `{BASE_URL}/verify-ticket/{token}`. Both are valid.
 *
 * | bytes | field |
 * |---|---|
 * | 0 | version, 1 |
 * | 1–4 | key id: the first four bytes of the SHA-256 of the raw public key |
 * | 5–10 | booking, big-endian |
 * | 11 | page: 1 admits the whole party, each further page one person |
 * | 12–15 | listing, big-endian |
 * | 16 | quantity: how many people the booking is for |
 * | 17–18 | epoch, big-endian: one more after each reissue |
 * | 19–22 | expiry, seconds since 1970, big-endian |
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
/** The length of the signed part. */
export const PAYLOAD_BYTES = 23;
/** The length of an Ed25519 signature. */
export const SIGNATURE_BYTES = 64;
/** The length of a token. */
export const TOKEN_BYTES = PAYLOAD_BYTES + SIGNATURE_BYTES;
/** The length of a key id: enough to tell the published keys apart. */
export const KEY_ID_BYTES = 4;

/** The bytes of a token, in digits or base64url; `undefined` if the text is neither. They may still be no ticket. */
export const bytesOfToken = (token: string): Uint8Array | undefined => {
  if (/^[1-9]\d{207}$/.test(token)) {
    const hex = BigInt(token)
      .toString(16)
      .padStart(2 * TOKEN_BYTES, '0');
    return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  }
  return /^[\w-]{116}$/.test(token) ? bytesOfBase64url(token) : undefined;
};

/** The bytes of text in base64url. */
export const bytesOfBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));

/** How long after the start tickets expire, in milliseconds. */
export const TICKET_LIFETIME_AFTER_START = 24 * 3_600_000;

/**
 * Whether a ticket has expired: a day after the start, either as it was when the code was made or as it is now (`startsAt`, an ISO
 * instant), whichever is later. People who come to a moved event with the code they were mailed must be admitted.
 */
export const isExpired = (ticket: Pick<Ticket, 'expiresAt'>, startsAt: string, now: Date): boolean =>
  Math.max(ticket.expiresAt * 1000, Date.parse(startsAt) + TICKET_LIFETIME_AFTER_START) < now.getTime();

/** The bytes to sign. */
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

/** The parts of a token. Its signature is not checked. `undefined` if the bytes are no ticket. */
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
