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

/** Where a camera stands, and why it films nothing if it failed. */
export type CameraState =
  | { readonly name: 'idle' | 'starting' | 'active' | 'stopped' }
  | { readonly name: 'failed'; readonly problem: CameraProblem };

/** The element that the library puts the picture into. */
export const CAMERA_ELEMENT = 'camera';

/** Milliseconds from one look at the picture to the next: some 12 looks a second, or as many as the device can. */
const LOOK_EVERY = 80;
/** So many looks at a code that can't be read, and whoever holds it is told; so many without one, and no longer. */
const LOOKS_TO_TELL = 4;

/** A camera of the device. */
export interface Camera {
  readonly id: string;
  readonly name: string;
}

/** The camera that was chosen, else the one that looks away from who holds the device. */
const constraintsFor = (id: string | undefined): MediaTrackConstraints => ({
  ...(id ? { deviceId: { exact: id } } : { facingMode: { ideal: 'environment' } }),
  width: { ideal: 1280 },
  height: { ideal: 720 },
});

/** The device's cameras. Browsers name them once they gave access to one. */
const listCameras = async (): Promise<Camera[]> =>
  (await navigator.mediaDevices.enumerateDevices())
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }, index) => ({ id: deviceId, name: label || `Camera ${index + 1}` }));

const trackOf = (camera: RenderedCamera): MediaStreamTrack | undefined => {
  const { srcObject } = camera.getSurface();
  return srcObject instanceof MediaStream ? srcObject.getVideoTracks()[0] : undefined;
};

/** Whether there is a light beside the camera. TypeScript doesn't know it yet, and browsers don't agree on its form. */
const hasTorch = (track: MediaStreamTrack | undefined): boolean => {
  const { torch } = (track?.getCapabilities?.() ?? {}) as { torch?: boolean | readonly boolean[] };
  return Array.isArray(torch) ? torch.includes(true) : torch === true;
};

/**
 * A camera that reads QR codes. Starts and stops are done one after the other, whatever is pressed meanwhile: the library breaks
 * when they overlap. `onCode` hears every reading, some twelve a second of one code; the caller tells repeats apart.
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

  /** Closes a camera that something went wrong with, unless another one films by now. */
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

  // Loaded with the page, before anybody holds up a ticket.
  useEffect(() => {
    reader.current = openReader();
    return closeReader;
  }, [closeReader]);

  const hear = useCallback(({ text, unread }: Sight) => {
    const looks = text === undefined ? unreadLooks.current + (unread ? 1 : -1) : 0;
    unreadLooks.current = Math.max(0, Math.min(LOOKS_TO_TELL, looks));
    // Neither comes and goes with a single look.
    if (unreadLooks.current === LOOKS_TO_TELL) setTooFar(true);
    if (unreadLooks.current === 0) setTooFar(false);
    if (text !== undefined) heard.current(text);
  }, []);

  /** Looks at the camera's own picture, of which the screen may show a part, as long as the camera films. */
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
          // The library's camera alone: its own reader looks at the picture on the screen, and is left out.
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
            // A camera that is closed in the middle of a look says nothing of the reader.
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

  /** Films with another camera from here. */
  const choose = useCallback(
    (camera: string) => {
      setChosen(camera);
      // At once: until the other one films, nothing is read.
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

  /** Asks the browser for the camera and lets go of it at once. True: scanning may use it. */
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
    /** The light beside the camera, where there is one. */
    torch,
    /** Whether a code is in sight that is too far off, or too blurred, to be read. */
    tooFar,
    start,
    stop,
    choose,
    test,
    /** @throws when the camera doesn't switch its light */
    light,
  };
};
