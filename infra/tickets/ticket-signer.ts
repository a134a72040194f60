import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import {
  bytesOfToken,
  decodeTicket,
  encodeTicket,
  KEY_ID_BYTES,
  type Ticket,
} from '#domain/admission/ticket-token.ts';
import type { TicketKeys } from '#domain/contracts/tickets.ts';

/** Signs tickets and verifies them. */
export interface TicketSigner {
  /** The token, in digits. The same ticket always gives the same token. */
  sign(ticket: Ticket): string;
  /** The ticket in a token; `undefined` if no key of ours signed it. Expiry, epoch and booking are not checked. */
  verify(token: string): Ticket | undefined;
  /** The public keys that verify tokens, newest first. */
  readonly publicKeys: TicketKeys['keys'];
}

/** A token's bytes as one number. The first byte is the version, never 0, so all have as many digits. */
const toDigits = (bytes: Buffer): string => BigInt(`0x${bytes.toString('hex')}`).toString();

/** A signer with an Ed25519 private key. @param retired public keys of former private keys in base64url, as `publicKeys` had them; their tickets stay valid */
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
