/** The driver's own conversion costs more than the statement. */

const AWKWARD = /[",\\{}\s]|^null$/i;

const quoted = (text: string): string =>
  text === '' || AWKWARD.test(text) ? `"${text.replace(/[\\"]/g, '\\$&')}"` : text;

export type Scalar = string | number | boolean | null | undefined;

export const arrayLiteral = (count: number, valueAt: (index: number) => Scalar): string => {
  const parts: string[] = new Array(count);
  for (let index = 0; index < count; index++) {
    const value = valueAt(index);
    parts[index] =
      value === null || value === undefined ? 'NULL' : typeof value === 'string' ? quoted(value) : `${value}`;
  }
  return `{${parts.join(',')}}`;
};

const TEXT_OID = 25;
const HEADER = 20;

/** PostgreSQL's binary format (`array_recv` in arrayfuncs.c): one dimension, no nulls, then each text's length and bytes. */
export const textArray = (texts: readonly string[]): Buffer => {
  let size = HEADER;
  for (const text of texts) size += 4 + Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeInt32BE(texts.length === 0 ? 0 : 1, 0);
  at = bytes.writeInt32BE(0, at);
  at = bytes.writeInt32BE(TEXT_OID, at);
  if (texts.length === 0) return bytes.subarray(0, at);
  at = bytes.writeInt32BE(texts.length, at);
  at = bytes.writeInt32BE(1, at);
  for (const text of texts) {
    const length = bytes.write(text, at + 4);
    bytes.writeInt32BE(length, at);
    at += 4 + length;
  }
  return bytes;
};
