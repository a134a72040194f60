export { type CheckpointSigner, createCheckpointSigner, keyIdOf } from './checkpoint-signer.ts';
export { exportedLines, lineOf, treeToExport } from './export.ts';
export { type HashedSubtree, hashesIn, leafHash } from './hashing.ts';
export { recheck } from './recheck.ts';
export { recheckApart } from './recheck-apart.ts';
export {
  addRun,
  adoptLog,
  hashesOfRanges,
  indexOf,
  leavesOf,
  loadFrontier,
  nameAt,
  nameOf,
  newestCheckpoint,
  placeIn,
  readTree,
  TornTree,
} from './tree-store.ts';
