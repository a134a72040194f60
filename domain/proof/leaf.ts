/** As stored: personal values are sealed; `meta` and `data` are canonical JSON, byte for byte. */
export interface Entry {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly recordedAt: string;
  readonly meta: string;
  readonly data: string;
}

const encoder = new TextEncoder();
/** Separates leaves from inner nodes (RFC 9162, 2.1.1). */
const LEAF_PREFIX = 0;
const FORM = '1';
const LENGTH_BYTES = 4;

/**
 * Bytes whose SHA-256 is the leaf: the RFC 9162 prefix, then each field as UTF-8 after its length (four
 * bytes, big-endian). Without the position, so that a copied log keeps its tree.
 * @param scratch reused if large enough
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
