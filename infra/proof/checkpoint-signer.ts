import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  type Checkpoint,
  checkpointText,
  KEY_ID_BYTES,
  keyIdInput,
  signedNote,
} from '#domain/proof/proof.ts';

export interface CheckpointSigner {
  sign(checkpoint: Checkpoint): string;
  /** Newest first: 32 raw bytes each. */
  readonly publicKeys: readonly Uint8Array<ArrayBuffer>[];
}

/** C2SP `signed-note`. */
export const keyIdOf = (origin: string, publicKey: Uint8Array): Buffer =>
  createHash('sha256').update(keyIdInput(origin, publicKey)).digest().subarray(0, KEY_ID_BYTES);

/** @param retired former public keys in base64url; their signatures remain valid */
export const createCheckpointSigner = (
  privateKey: KeyObject,
  retired: readonly string[] = [],
): CheckpointSigner => {
  const own = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
  const [newest = new Uint8Array(), ...others] = [own, ...retired].map(
    (x) => new Uint8Array(Buffer.from(x, 'base64url')),
  );
  return {
    publicKeys: [newest, ...others],
    sign(checkpoint) {
      const text = checkpointText(checkpoint);
      const { origin } = checkpoint;
      return signedNote(text, origin, keyIdOf(origin, newest), sign(null, Buffer.from(text), privateKey));
    },
  };
};
