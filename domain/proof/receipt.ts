import type { Receipt } from '#domain/contracts/log-proofs.ts';
import { type Checkpoint, fromBase64, openCheckpoint } from './checkpoint.ts';
import { hashEntry, provesInclusion } from './verify.ts';

export const keyBytes = (key: string): Uint8Array<ArrayBuffer> =>
  fromBase64(key.trim().replaceAll('-', '+').replaceAll('_', '/'));

/** The checkpoint that proves the entry; undefined if the proof fails. Keys are 32 raw bytes each. */
export const openReceipt = async (
  { entry, index, path, checkpoint: note }: Receipt,
  publicKeys: readonly Uint8Array<ArrayBuffer>[],
): Promise<Checkpoint | undefined> => {
  const checkpoint = await openCheckpoint(note, publicKeys);
  if (!checkpoint) return undefined;
  const { size, root } = checkpoint;
  const leads = await provesInclusion(await hashEntry(entry), index, size, path.map(fromBase64), root);
  return leads ? checkpoint : undefined;
};
