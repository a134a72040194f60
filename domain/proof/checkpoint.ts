/** C2SP `tlog-checkpoint`: origin, size and root, as an Ed25519-signed note (C2SP `signed-note`). */
import type { Hash, Head } from './verify.ts';

export interface Checkpoint extends Head {
  readonly origin: string;
}

const ED25519 = 1;
export const KEY_ID_BYTES = 4;
const HASH_BYTES = 32;

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Empty if not base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** The first four bytes of the SHA-256 of this are the key id. */
export const keyIdInput = (name: string, publicKey: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...new TextEncoder().encode(`${name}\n`), ED25519, ...publicKey]);

export const signedNote = (text: string, name: string, keyId: Uint8Array, signature: Uint8Array): string =>
  `${text}\n— ${name} ${toBase64(Uint8Array.from([...keyId, ...signature]))}\n`;

const readNote = (note: string) => {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map((line) => /^— (\S+) (\S+)$/.exec(line));
  if (!signatures.every((one) => one !== null)) return undefined;
  return {
    text: note.slice(0, end + 1),
    signatures: signatures.map(([, name = '', code = '']) => ({ name, bytes: fromBase64(code) })),
  };
};

/** Does not verify the signature; undefined if malformed. */
export const readCheckpoint = (note: string): Checkpoint | undefined => {
  const [origin = '', size = '', root = ''] = readNote(note)?.text.split('\n') ?? [];
  const hash: Hash = fromBase64(root);
  if (origin === '' || !/^(0|[1-9]\d{0,14})$/.test(size) || hash.length !== HASH_BYTES) return undefined;
  return { origin, size: Number(size), root: hash };
};

/** Undefined unless one of the keys (32 raw bytes each) signed it in its origin's name. */
export const openCheckpoint = async (
  note: string,
  publicKeys: readonly Uint8Array<ArrayBuffer>[],
): Promise<Checkpoint | undefined> => {
  const checkpoint = readCheckpoint(note);
  const read = readNote(note);
  if (!checkpoint || !read) return undefined;
  const text = new TextEncoder().encode(read.text);
  for (const { name, bytes } of read.signatures) {
    if (name !== checkpoint.origin) continue;
    for (const publicKey of publicKeys) {
      const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
      if (await crypto.subtle.verify('Ed25519', key, bytes.subarray(KEY_ID_BYTES), text)) return checkpoint;
    }
  }
  return undefined;
};
