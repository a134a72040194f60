import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import {
  bytesOfToken,
  decodeTicket,
  encodeTicket,
  KEY_ID_BYTES,
  type Ticket,
} from '#domain/admission/ticket-token.ts';
import type { TicketKeys } from '#domain/contracts/tickets.ts';

export interface TicketSigner {
  sign(ticket: Ticket): string;
  /** `undefined` if none of our keys signed it. Expiry, epoch and booking are not checked. */
  verify(token: string): Ticket | undefined;
  readonly publicKeys: TicketKeys['keys'];
}

/** The first byte, the version, is never 0: all tokens have the same number of digits. */
const toDigits = (bytes: Buffer): string => BigInt(`0x${bytes.toString('hex')}`).toString();

/** @param retired former public keys in base64url; their tickets stay valid */
export const createTicketSigner = (privateKey: KeyObject, retired: readonly string[] = []): TicketSigner => {
  const own = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
  const keys = [own, ...retired].map((x) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const id = createHash('sha256').update(Buffer.from(x, 'base64url')).digest().subarray(0, KEY_ID_BYTES);
    return { key, x, id };
  });
  const newest = keys[0];
  if (!newest) throw new Error('a ticket signer needs a key');
  return {
    publicKeys: keys.map(({ x, id }) => ({ id: id.readUInt32BE(), algorithm: 'Ed25519', publicKey: x })),
    sign(ticket) {
      const payload = encodeTicket(ticket, newest.id);
      return toDigits(Buffer.concat([payload, sign(null, payload, privateKey)]));
    },
    verify(token) {
      const bytes = bytesOfToken(token);
      const parts = bytes && decodeTicket(bytes);
      if (!parts) return undefined;
      const signer = keys.find(({ id }) => id.equals(parts.keyId));
      return signer && verify(null, parts.payload, signer.key, parts.signature) ? parts.ticket : undefined;
    },
  };
};
