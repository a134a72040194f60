import { headers } from '#domain/contracts/envelope.ts';
import { withinLimit } from './client.ts';

const NEWLINE = 10;
const QUOTE = 34;
/** Milliseconds. Safari reads the blob some time after the click. */
const KEPT_FOR = 40_000;

/**
 * Returns the server's file name.
 * @param onProgress share from 0 to 1: CSV rows received of the announced total
 * @throws NoAnswer if the connection breaks off or stalls
 */
export const saveFile = async (answer: Response, onProgress?: (share: number) => void): Promise<string> => {
  const parts: BlobPart[] = [];
  const rows = Number(answer.headers.get(headers.total) ?? 0);
  const isCsv = !!answer.headers.get('Content-Type')?.startsWith('text/csv');
  let isQuoted = false;
  let lines = 0;
  const reader = answer.body?.getReader();
  const read = () =>
    withinLimit(async (signal) => {
      signal.addEventListener('abort', () => reader?.cancel(signal.reason));
      const part = await reader?.read();
      // A cancelled reader reports `done` instead of throwing.
      signal.throwIfAborted();
      return part;
    });
  for (let part = await read(); part?.value; part = await read()) {
    parts.push(part.value);
    for (const byte of part.value)
      if (byte === QUOTE) isQuoted = isCsv && !isQuoted;
      else if (byte === NEWLINE && !isQuoted) lines += 1;
    if (rows > 0) onProgress?.(Math.min(1, lines / rows));
  }
  const name = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? 'download';
  const url = URL.createObjectURL(new Blob(parts, { type: answer.headers.get('Content-Type') ?? '' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
  return name;
};
