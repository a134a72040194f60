import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareReading, readCode, type Sight } from '#web/features/door/camera/read-code.ts';
import type { Picture } from './photograph.ts';

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
const ready = prepareReading(new Uint8Array(wasm).buffer);

/** What the scanner's own reader sees in a picture. */
export const readPicture = async ({ width, height, data }: Picture): Promise<Sight> => {
  await ready;
  const colours = new Uint8ClampedArray(4 * data.length).fill(255);
  for (let at = 0; at < colours.length; at += 1) if (at % 4 < 3) colours[at] = data[at >> 2] ?? 0;
  return readCode({ width, height, data: colours } as ImageData);
};
