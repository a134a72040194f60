import { createReadStream } from 'node:fs';

const NEWLINE = 10;
const AT_ONCE = 1024 * 1024;

/** Splits JSON lines at `\n` only: `readline` would also split at U+2028 and U+2029, which JSON leaves unescaped. */
export const linesIn = async function* (input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const bytes of input) {
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      const piece = bytes.subarray(at, end);
      yield begun.length > 0 ? Buffer.concat([...begun, piece]) : piece;
      begun = [];
      at = end + 1;
    }
    if (at < bytes.length) begun.push(bytes.subarray(at));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
};

export const linesOf = (file: string, from = 0): AsyncGenerator<Buffer> =>
  linesIn(createReadStream(file, { start: from, highWaterMark: AT_ONCE }));
