import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { headers } from '#domain/contracts/envelope.ts';
import { saveFile } from './save-file.ts';

beforeEach(() => {
  const link = { click: () => undefined, remove: () => undefined };
  vi.stubGlobal('document', { createElement: () => link, body: { append: () => undefined } });
});

/** What the progress says, in percent, after each part of a file that has arrived. */
const progressOf = async (
  type: string,
  rows: number,
  parts: readonly string[],
): Promise<readonly number[]> => {
  const said: number[] = [];
  const body = new ReadableStream({
    start(stream) {
      for (const part of parts) stream.enqueue(new TextEncoder().encode(part));
      stream.close();
    },
  });
  const answer = new Response(body, { headers: { 'content-type': type, [headers.total]: `${rows}` } });
  await saveFile(answer, (share) => said.push(Math.round(share * 100)));
  return said;
};

test('an export counts its received rows, also if texts in them have line breaks', async () => {
  const rows = (text: string) => `1,"${text}"\n`.repeat(50);
  for (const text of ['ill', 'ill,\nand ""late"",\r\nand far away\n'])
    expect(await progressOf('text/csv; charset=utf-8', 200, Array(4).fill(rows(text)))).toEqual([
      25, 50, 75, 100,
    ]);
  // Parts end where they end, within a text too.
  const all = rows('i\nl\nl');
  const cuts = [all.slice(0, 105), all.slice(105, 305), all.slice(305)];
  expect(await progressOf('text/csv', 50, cuts)).toEqual([20, 60, 100]);
});

test('lines of JSON count as rows, whatever is quoted in them', async () => {
  const line = `${JSON.stringify({ said: '"' })}\n`;
  expect(await progressOf('application/x-ndjson', 4, [line, line, line, line])).toEqual([25, 50, 75, 100]);
});

test('an exported file stays available until a slow browser has read it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const forgotten = vi.spyOn(URL, 'revokeObjectURL');
  await saveFile(new Response('a ticket'));
  expect(forgotten).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(forgotten).toHaveBeenCalledOnce();
});
