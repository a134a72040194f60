/** An entry of the log as it is stored: personal values are sealed, `meta` and `data` are the canonical JSON texts, byte for byte. */
export interface Entry {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** The version of the type's schema. */
  readonly version: number;
  /** When the log took it: ISO 8601 in UTC with milliseconds. */
  readonly recordedAt: string;
  readonly meta: string;
  readonly data: string;
}

const encoder = new TextEncoder();
/** The byte before a leaf, by which no leaf is ever taken for an inner node (RFC 9162, 2.1.1). */
const LEAF_PREFIX = 0;
/** The first field. It changes if the leaf's form ever does. */
const FORM = '1';
const LENGTH_BYTES = 4;

/**
 * The bytes whose SHA-256 is an entry's leaf in the tree: the prefix of RFC 9162, then each field as text in UTF-8 after its length
 * (four bytes, the highest first), so that no two entries have the same bytes. The position is not among the fields: a log that was
 * copied to another store keeps its tree. @param scratch memory to use if it is large enough; the next call overwrites it
 */
export const leafBytes = (entry: Entry, scratch?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const { id, stream, revision, type, version, recordedAt, meta, data } = entry;
  const fields = [FORM, `${version}`, id, stream, `${revision}`, type, recordedAt, meta, data];
  let most = 1;
  for (const field of fields) most += LENGTH_BYTES + field.length * 3;
  const bytes = scratch && scratch.length >= most ? scratch : new Uint8Array(most);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  bytes[0] = LEAF_PREFIX;
  let at = 1;
  for (const field of fields) {
    const { written } = encoder.encodeInto(field, bytes.subarray(at + LENGTH_BYTES));
    view.setUint32(at, written);
    at += LENGTH_BYTES + written;
  }
  return bytes.subarray(0, at);
};
