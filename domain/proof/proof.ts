/** The only entrance to this folder. */
export {
  type Checkpoint,
  checkpointText,
  fromBase64,
  KEY_ID_BYTES,
  keyIdInput,
  openCheckpoint,
  readCheckpoint,
  signedNote,
  toBase64,
} from './checkpoint.ts';
export { sayFinding, sayFindings } from './findings.ts';
export { type Entry, leafBytes } from './leaf.ts';
export { keyBytes, openReceipt } from './receipt.ts';
export { consistencyRanges, inclusionRanges, type Range, type Subtree, subtreesOf } from './shape.ts';
export { provesConsistency } from './verify.ts';
