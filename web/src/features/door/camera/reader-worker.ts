import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { CameraFrame } from './code-reader.ts';
import { inGuide, prepareReading, readCode, type Sight } from './read-code.ts';

interface NativeReader {
  detect(
    picture: ImageData,
  ): Promise<readonly { rawValue: string; cornerPoints: readonly { x: number; y: number }[] }[]>;
}
interface NativeReaders {
  new (options: { formats: readonly string[] }): NativeReader;
  getSupportedFormats(): Promise<readonly string[]>;
}

const nativeReader = async (): Promise<NativeReader | undefined> => {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeReaders };
  const formats = (await BarcodeDetector?.getSupportedFormats()) ?? [];
  return BarcodeDetector && formats.includes('qr_code')
    ? new BarcodeDetector({ formats: ['qr_code'] })
    : undefined;
};

const native = nativeReader().catch(() => undefined);
const prepared = prepareReading(wasm);
// Prevents an unhandled rejection; the first read that needs it reports the error.
prepared.catch(() => undefined);

const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext('2d', { willReadFrequently: true });

const pictureOf = (frame: CameraFrame): ImageData => {
  if (!context) throw new Error('This browser gives no canvas to a worker.');
  const [width, height] =
    frame instanceof ImageBitmap ? [frame.width, frame.height] : [frame.displayWidth, frame.displayHeight];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.drawImage(frame, 0, 0);
  return context.getImageData(0, 0, width, height);
};

const look = async (picture: ImageData): Promise<Sight> => {
  const found = await (await native)?.detect(picture).catch(() => []);
  const [code] = inGuide(found ?? [], picture, ({ cornerPoints }) => cornerPoints);
  if (code) return { text: code.rawValue, unread: false };
  await prepared;
  return readCode(picture);
};

self.addEventListener('message', async ({ data: frame, ports: [answer] }: MessageEvent<CameraFrame>) => {
  try {
    answer?.postMessage(await look(pictureOf(frame)));
  } catch (error) {
    answer?.postMessage({ error: String(error) });
  } finally {
    frame.close();
    answer?.close();
  }
});
