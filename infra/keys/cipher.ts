/**
 * AES-256-GCM as the whole program uses it: 12 random bytes of nonce, 16 of tag, then the text. What is sealed is bound to
 * its `context` (associated data), so that bytes moved elsewhere don't open.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';

const NONCE = 12;
const TAG = 16;
const ALGORITHM = 'aes-256-gcm';

/** Random bytes are drawn in bulk: one draw a nonce costs more than the encryption. */
const pool = Buffer.alloc(NONCE * 512);
let used = pool.length;
const nextNonce = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE;
  return pool.subarray(used - NONCE, used);
};

/** Seals bytes with a 256-bit key. */
export const seal = (key: KeyObject, context: string, plain: Uint8Array): Buffer => {
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.from(context));
  const text = cipher.update(plain);
  const rest = cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), text, rest]);
};

/** Opens what `seal` made; `undefined` if the key or the context is another, or a byte was changed. */
export const open = (key: KeyObject, context: string, sealed: Uint8Array): Buffer | undefined => {
  if (sealed.length < NONCE + TAG) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
  const text = decipher.update(sealed.subarray(NONCE + TAG));
  try {
    const rest = decipher.final();
    return rest.length === 0 ? text : Buffer.concat([text, rest]);
  } catch (error) {
    // The only thing that `final` throws here is a tag that doesn't fit.
    if (error instanceof Error) return undefined;
    throw error;
  }
};

/** A key of its own for one purpose, derived from the master key (HKDF-SHA-256). The same label always gives the same key. */
export const deriveKey = (masterKey: Uint8Array, label: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(0), `reprise/${label}`, 32)));

/** Seals texts of our own (stored replies, snapshots) with one derived key. */
export interface TextSealer {
  /** base64. `context` says what the text is, and where it belongs. */
  seal(context: string, text: string): string;
  /** The text, or `undefined` if this key and context didn't seal it. */
  open(context: string, sealed: string): string | undefined;
}

/** A sealer with the key derived from the master key for `label`. */
export const createTextSealer = (masterKey: Uint8Array, label: string): TextSealer => {
  const key = deriveKey(masterKey, label);
  return {
    seal: (context, text) => seal(key, context, Buffer.from(text)).toString('base64'),
    open: (context, sealed) => open(key, context, Buffer.from(sealed, 'base64'))?.toString(),
  };
};
