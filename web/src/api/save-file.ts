import { headers } from '#domain/contracts/envelope.ts';
import { withinLimit } from './limit.ts';

const NEWLINE = 10;
const QUOTE = 34;
/** Safari reads a file only after the click that saves it, and takes its time. Milliseconds. */
const KEPT_FOR = 40_000;

/**
 * Saves an answer as a file, under the name that the server gave it, and returns that name.
 * @param onProgress called with the share of a CSV file that has arrived, from 0 to 1: its lines, without those within
 * texts, against the rows that the server announced
 * @throws NoAnswer where the connection breaks off, or where nothing comes for as long as a call may take
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
      // A reader that was cancelled says that it has come to the end.
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
