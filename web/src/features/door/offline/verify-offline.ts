import { bytesOfBase64url, bytesOfToken, decodeTicket, type Ticket } from '#domain/admission/ticket-token.ts';
import type { TicketKeys } from '#domain/contracts/tickets.ts';

type Keys = TicketKeys['keys'];

const imported = (publicKey: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytesOfBase64url(publicKey), 'Ed25519', false, ['verify']);

/** Needs https and a browser with Ed25519. */
export const canVerify = async ([key]: Keys): Promise<boolean> => {
  try {
    return !!key && !!(await imported(key.publicKey));
  } catch {
    return false;
  }
};

export const verifyOffline = async (token: string, keys: Keys): Promise<Ticket | undefined> => {
  const bytes = bytesOfToken(token);
  const parts = bytes && decodeTicket(bytes);
  if (!parts) return undefined;
  const { buffer, byteOffset } = parts.keyId;
  const id = new DataView(buffer, byteOffset).getUint32(0);
  const key = keys.find((one) => one.id === id);
  if (!key) return undefined;
  const [signature, payload] = [parts.signature.slice(), parts.payload.slice()];
  const genuine = await crypto.subtle.verify('Ed25519', await imported(key.publicKey), signature, payload);
  return genuine ? parts.ticket : undefined;
};
