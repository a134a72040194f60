import type { Html5Qrcode } from 'html5-qrcode';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type CameraProblem, cameraLost, cameraProblemOf, cameraUnsupported } from './camera-problem.ts';

export type CameraState =
  | { readonly name: 'idle' | 'starting' | 'active' | 'stopped' }
  | { readonly name: 'failed'; readonly problem: CameraProblem };

/** The element that the library draws the picture into. */
export const CAMERA_ELEMENT = 'camera';

const FRAMES_A_SECOND = 10;
/** A camera of the device. */
export interface Camera {
  readonly id: string;
  readonly name: string;
}

/** A camera that was chosen, else the one that looks away from who holds the device. */
const constraintsFor = (id: string | undefined): MediaTrackConstraints => ({
  ...(id ? { deviceId: { exact: id } } : { facingMode: { ideal: 'environment' } }),
  width: { ideal: 640 },
  height: { ideal: 480 },
});

/** The device's cameras. Browsers name them once they gave access to one. */
const listCameras = async (): Promise<Camera[]> =>
  (await navigator.mediaDevices.enumerateDevices())
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }, index) => ({ id: deviceId, name: label || `Camera ${index + 1}` }));

/** The camera that is filming into the element. */
const filming = (): MediaStreamTrack | undefined => {
  const source = document.querySelector<HTMLVideoElement>(`#${CAMERA_ELEMENT} video`)?.srcObject;
  return source instanceof MediaStream ? source.getVideoTracks()[0] : undefined;
};

/** The framing guide: a square that fits the picture. */
const guide = (width: number, height: number) => {
  const side = Math.max(120, Math.floor(Math.min(width, height) * 0.72));
  return { width: side, height: side };
};

/**
 * A camera that reads QR codes. Starts and stops are done one after the other, whatever is pressed meanwhile: the library breaks
 * when they overlap. `onCode` hears every reading, some ten a second of one code; the caller tells repeats apart.
 */
export const useCamera = (onCode: (text: string) => void) => {
  const [state, setState] = useState<CameraState>({ name: 'idle' });
  const [cameras, setCameras] = useState<readonly Camera[]>([]);
  const [chosen, setChosen] = useState<string>();
  const reader = useRef<Html5Qrcode>(undefined);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const heard = useRef(onCode);
  heard.current = onCode;

  const inTurn = useCallback((step: () => Promise<void>) => {
    queue.current = queue.current.then(step, step);
    return queue.current;
  }, []);

  const close = useCallback(async () => {
    const opened = reader.current;
    reader.current = undefined;
    if (!opened) return;
    if (opened.isScanning) await opened.stop();
    opened.clear();
  }, []);

  const open = useCallback(
    (camera: string | undefined) =>
      inTurn(async () => {
        const unsupported = cameraUnsupported();
        if (unsupported) return setState({ name: 'failed', problem: unsupported });
        if (reader.current) return;
        setState({ name: 'starting' });
        try {
          const { Html5Qrcode, Html5QrcodeSupportedFormats } = await import('html5-qrcode');
          const opened = new Html5Qrcode(CAMERA_ELEMENT, {
            verbose: false,
            formatsToSupport: [Html5QrcodeSupportedFormats.QR_CODE],
          });
          reader.current = opened;
          await opened.start(
            { facingMode: 'environment' },
            { fps: FRAMES_A_SECOND, qrbox: guide, videoConstraints: constraintsFor(camera) },
            (text) => heard.current(text),
            undefined,
          );
          const track = filming();
          track?.addEventListener('ended', () =>
            inTurn(async () => {
              if (reader.current !== opened) return;
              await close();
              setState({ name: 'failed', problem: cameraLost });
            }),
          );
          setChosen(track?.getSettings().deviceId);
          setCameras(await listCameras());
          setState({ name: 'active' });
        } catch (error) {
          reader.current = undefined;
          setChosen(undefined);
          setState({ name: 'failed', problem: cameraProblemOf(error) });
        }
      }),
    [inTurn, close],
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

  return { state, cameras, chosen, start, stop, choose, test };
};
