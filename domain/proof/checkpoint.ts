/**
 * Signed checkpoints of the log in the form of C2SP `tlog-checkpoint`: who says it, how many entries the log has, and the root of
 * their tree, as a note that Ed25519 signs (C2SP `signed-note`).
 */
import type { Hash, Head } from './verify.ts';

/** What a checkpoint says. */
export interface Checkpoint extends Head {
  /** The log's name, such as `reprise.example/log`. */
  readonly origin: string;
}

/** The signature's type in a key's id: Ed25519. */
const ED25519 = 1;
/** How many bytes of a signature name its key. */
export const KEY_ID_BYTES = 4;
const HASH_BYTES = 32;

/** Bytes as base64. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** The bytes of a base64 text; none if it is no such text. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

/** The text that is signed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** What a key's id is the hash of: its first four bytes. @param name who signs: the checkpoint's origin */
export const keyIdInput = (name: string, publicKey: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...new TextEncoder().encode(`${name}\n`), ED25519, ...publicKey]);

/** The checkpoint with its signature. */
export const signedNote = (text: string, name: string, keyId: Uint8Array, signature: Uint8Array): string =>
  `${text}\n— ${name} ${toBase64(Uint8Array.from([...keyId, ...signature]))}\n`;

/** A note's text and signatures; `undefined` for text that is no note. */
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

/** What a checkpoint says, whoever signed it; `undefined` for text that is none. */
export const readCheckpoint = (note: string): Checkpoint | undefined => {
  const [origin = '', size = '', root = ''] = readNote(note)?.text.split('\n') ?? [];
  const hash: Hash = fromBase64(root);
  if (origin === '' || !/^(0|[1-9]\d{0,14})$/.test(size) || hash.length !== HASH_BYTES) return undefined;
  return { origin, size: Number(size), root: hash };
};

/** What a checkpoint says, if one of the keys (32 raw bytes each) has signed it in the name of its origin. */
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
