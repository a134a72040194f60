import type { RenderedCamera } from 'html5-qrcode/esm/camera/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type CameraProblem,
  cameraLost,
  cameraProblemOf,
  cameraUnsupported,
  readerMissing,
} from './camera-problem.ts';
import { type CodeReader, frameOf, openReader } from './code-reader.ts';
import type { Sight } from './read-code.ts';

export type CameraState =
  | { readonly name: 'idle' | 'starting' | 'active' | 'stopped' }
  | { readonly name: 'failed'; readonly problem: CameraProblem };

export const CAMERA_ELEMENT = 'camera';

/** Milliseconds between reads: about 12 reads a second, or as many as the device manages. */
const LOOK_EVERY = 80;
const LOOKS_TO_TELL = 4;

export interface Camera {
  readonly id: string;
  readonly name: string;
}

const constraintsFor = (id: string | undefined): MediaTrackConstraints => ({
  ...(id ? { deviceId: { exact: id } } : { facingMode: { ideal: 'environment' } }),
  width: { ideal: 1280 },
  height: { ideal: 720 },
});

const listCameras = async (): Promise<Camera[]> =>
  (await navigator.mediaDevices.enumerateDevices())
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }, index) => ({ id: deviceId, name: label || `Camera ${index + 1}` }));

const trackOf = (camera: RenderedCamera): MediaStreamTrack | undefined => {
  const { srcObject } = camera.getSurface();
  return srcObject instanceof MediaStream ? srcObject.getVideoTracks()[0] : undefined;
};

/** TypeScript lacks `torch`, and browsers disagree on its form. */
const hasTorch = (track: MediaStreamTrack | undefined): boolean => {
  const { torch } = (track?.getCapabilities?.() ?? {}) as { torch?: boolean | readonly boolean[] };
  return Array.isArray(torch) ? torch.includes(true) : torch === true;
};

/**
 * Starts and stops run in sequence, because the library breaks when they overlap. `onCode` gets every
 * reading, about twelve a second; the caller filters repeats.
 */
export const useCamera = (onCode: (text: string) => void) => {
  const [state, setState] = useState<CameraState>({ name: 'idle' });
  const [cameras, setCameras] = useState<readonly Camera[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [torch, setTorch] = useState<'on' | 'off'>();
  const [tooFar, setTooFar] = useState(false);
  const unreadLooks = useRef(0);
  const film = useRef<RenderedCamera>(undefined);
  const reader = useRef<CodeReader>(undefined);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const heard = useRef(onCode);
  heard.current = onCode;

  const inTurn = useCallback((step: () => Promise<void>) => {
    queue.current = queue.current.then(step, step);
    return queue.current;
  }, []);

  const close = useCallback(async () => {
    const opened = film.current;
    film.current = undefined;
    setTorch(undefined);
    unreadLooks.current = 0;
    setTooFar(false);
    await opened?.close();
  }, []);

  /** No effect if another camera has been opened since. */
  const giveUp = useCallback(
    (opened: RenderedCamera, problem: CameraProblem) =>
      inTurn(async () => {
        if (film.current !== opened) return;
        await close();
        setState({ name: 'failed', problem });
      }),
    [inTurn, close],
  );

  const closeReader = useCallback(() => {
    reader.current?.close();
    reader.current = undefined;
  }, []);

  useEffect(() => {
    reader.current = openReader();
    return closeReader;
  }, [closeReader]);

  const hear = useCallback(({ text, unread }: Sight) => {
    const looks = text === undefined ? unreadLooks.current + (unread ? 1 : -1) : 0;
    unreadLooks.current = Math.max(0, Math.min(LOOKS_TO_TELL, looks));
    // Hysteresis: a single read does not toggle the hint.
    if (unreadLooks.current === LOOKS_TO_TELL) setTooFar(true);
    if (unreadLooks.current === 0) setTooFar(false);
    if (text !== undefined) heard.current(text);
  }, []);

  /** Reads the full camera frame, of which the screen may show only a part. */
  const watch = useCallback(
    async (opened: RenderedCamera) => {
      const video = opened.getSurface();
      while (film.current === opened) {
        const began = performance.now();
        if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
          const frame = await frameOf(video);
          reader.current ??= openReader();
          const sight = await reader.current.read(frame);
          if (film.current === opened) hear(sight);
        }
        const rest = LOOK_EVERY - (performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
      }
    },
    [hear],
  );

  const open = useCallback(
    (camera: string | undefined) =>
      inTurn(async () => {
        const unsupported = cameraUnsupported();
        if (unsupported) return setState({ name: 'failed', problem: unsupported });
        const place = document.getElementById(CAMERA_ELEMENT);
        if (film.current || !place) return;
        setState({ name: 'starting' });
        try {
          // Uses only the library's camera: its reader scans the picture as displayed.
          const { CameraFactory } = await import('html5-qrcode/esm/camera/factories');
          const source = await (await CameraFactory.failIfNotSupported()).create(constraintsFor(camera));
          const opened = await source.render(place, {}, { onRenderSurfaceReady: () => undefined });
          film.current = opened;
          const track = trackOf(opened);
          track?.addEventListener('ended', () => giveUp(opened, cameraLost));
          setTorch(hasTorch(track) ? 'off' : undefined);
          setChosen(track?.getSettings().deviceId);
          setCameras(await listCameras());
          setState({ name: 'active' });
          watch(opened).catch(() => {
            // Closing the camera during a read is not a reader failure.
            if (film.current !== opened) return;
            closeReader();
            giveUp(opened, readerMissing);
          });
        } catch (error) {
          await close();
          setChosen(undefined);
          setState({ name: 'failed', problem: cameraProblemOf(error) });
        }
      }),
    [inTurn, close, closeReader, giveUp, watch],
  );

  const start = useCallback(() => open(chosen), [open, chosen]);

  const choose = useCallback(
    (camera: string) => {
      setChosen(camera);
      setState({ name: 'starting' });
      inTurn(close);
      open(camera);
    },
    [inTurn, close, open],
  );

  const stop = useCallback(
    () =>
      inTurn(async () => {
        await close();
        setState({ name: 'stopped' });
      }),
    [inTurn, close],
  );

  const test = useCallback(async (): Promise<boolean> => {
    const unsupported = cameraUnsupported();
    if (unsupported) {
      setState({ name: 'failed', problem: unsupported });
      return false;
    }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: constraintsFor(chosen) });
      for (const track of stream.getTracks()) track.stop();
      setState({ name: 'idle' });
      return true;
    } catch (error) {
      setState({ name: 'failed', problem: cameraProblemOf(error) });
      return false;
    }
  }, [chosen]);

  useEffect(
    () => () => {
      inTurn(close);
    },
    [inTurn, close],
  );

  const light = useCallback(async (on: boolean) => {
    await film.current?.getCapabilities().torchFeature().apply(on);
    setTorch(on ? 'on' : 'off');
  }, []);

  return {
    state,
    cameras,
    chosen,
    torch,
    tooFar,
    start,
    stop,
    choose,
    test,
    light,
  };
};
