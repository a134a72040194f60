import type { Sight } from './read-code.ts';

/** A picture of the camera, which can be sent to a worker. */
export type CameraFrame = VideoFrame | ImageBitmap;

/**
 * What a video shows now.
 * @throws when it shows nothing any more
 */
export const frameOf = async (video: HTMLVideoElement): Promise<CameraFrame> => {
  try {
    // Costs the page next to nothing: its pixels are first copied in the worker.
    return new VideoFrame(video);
  } catch {
    return createImageBitmap(video);
  }
};

/** Reads codes in a worker of its own. */
export interface CodeReader {
  /**
   * Says what a frame shows, and uses it up.
   * @throws when the worker or its WebAssembly can't be loaded; another reader may do better
   */
  read(frame: CameraFrame): Promise<Sight>;
  close(): void;
}

/** Starts a reader. It fetches what it needs at once. */
export const openReader = (): CodeReader => {
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), { type: 'module' });
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'the reader didn’t load')));
  });
  // Whoever reads hears of it.
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
