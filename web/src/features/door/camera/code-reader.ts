import type { Sight } from './read-code.ts';

export type CameraFrame = VideoFrame | ImageBitmap;

/** @throws when the video has no current frame */
export const frameOf = async (video: HTMLVideoElement): Promise<CameraFrame> => {
  try {
    // Cheap: the pixels are copied in the worker, not on the page's thread.
    return new VideoFrame(video);
  } catch {
    return createImageBitmap(video);
  }
};

export interface CodeReader {
  /**
   * Consumes the frame.
   * @throws when the worker or its WebAssembly can't be loaded; a new reader may succeed
   */
  read(frame: CameraFrame): Promise<Sight>;
  close(): void;
}

export const openReader = (): CodeReader => {
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), { type: 'module' });
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'the reader didn’t load')));
  });
  // Prevents an unhandled rejection; `read` reports the error.
  broken.catch(() => undefined);
  return {
    read(frame) {
      const { port1: ours, port2: its } = new MessageChannel();
      const answer = new Promise<Sight>((resolve, reject) => {
        ours.onmessage = ({ data }: MessageEvent<Sight | { error: string }>) =>
          'error' in data ? reject(new Error(data.error)) : resolve(data);
      });
      worker.postMessage(frame, [frame, its]);
      return Promise.race([answer, broken]);
    },
    close: () => worker.terminate(),
  };
};
