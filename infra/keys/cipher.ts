/** AES-256-GCM: nonce (12 bytes), tag (16), ciphertext. `context` is associated data, so moved bytes don't open. */
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

/** In bulk: a draw per nonce costs more than the encryption. */
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

export const seal = (key: KeyObject, context: string, plain: Uint8Array): Buffer => {
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.from(context));
  const text = cipher.update(plain);
  const rest = cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), text, rest]);
};

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
    if (error instanceof Error) return undefined;
    throw error;
  }
};

export const deriveKey = (masterKey: Uint8Array, label: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(0), `reprise/${label}`, 32)));

export interface TextSealer {
  seal(context: string, text: string): string;
  open(context: string, sealed: string): string | undefined;
}

export const createTextSealer = (masterKey: Uint8Array, label: string): TextSealer => {
  const key = deriveKey(masterKey, label);
  return {
    seal: (context, text) => seal(key, context, Buffer.from(text)).toString('base64'),
    open: (context, sealed) => open(key, context, Buffer.from(sealed, 'base64'))?.toString(),
  };
};
