import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  type Checkpoint,
  checkpointText,
  KEY_ID_BYTES,
  keyIdInput,
  signedNote,
} from '#domain/proof/proof.ts';

/** Signs checkpoints of the log. */
export interface CheckpointSigner {
  /** The checkpoint as a signed note. */
  sign(checkpoint: Checkpoint): string;
  /** The public keys that verify checkpoints, newest first: 32 raw bytes each. */
  readonly publicKeys: readonly Uint8Array<ArrayBuffer>[];
}

/** A key's id in notes of this origin (C2SP `signed-note`). */
export const keyIdOf = (origin: string, publicKey: Uint8Array): Buffer =>
  createHash('sha256').update(keyIdInput(origin, publicKey)).digest().subarray(0, KEY_ID_BYTES);

/** A signer with an Ed25519 private key. @param retired public keys of former private keys in base64url; what they signed stays good */
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
