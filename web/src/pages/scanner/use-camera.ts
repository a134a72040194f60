import type { Html5Qrcode } from 'html5-qrcode';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type CameraProblem, cameraProblemOf, cameraUnsupported } from './camera-problem.ts';

export type CameraState =
  | { readonly name: 'idle' | 'starting' | 'active' | 'stopped' }
  | { readonly name: 'failed'; readonly problem: CameraProblem };

/** The element that the library draws the picture into. */
export const CAMERA_ELEMENT = 'camera';

const FRAMES_A_SECOND = 10;
const constraints = {
  facingMode: { ideal: 'environment' },
  width: { ideal: 640 },
  height: { ideal: 480 },
} satisfies MediaTrackConstraints;

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
  const reader = useRef<Html5Qrcode>(undefined);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const heard = useRef(onCode);
  heard.current = onCode;

  const inTurn = useCallback((step: () => Promise<void>) => {
    queue.current = queue.current.then(step, step);
    return queue.current;
  }, []);

  const close = useCallback(async () => {
    const open = reader.current;
    reader.current = undefined;
    if (!open) return;
    if (open.isScanning) await open.stop();
    open.clear();
  }, []);

  const start = useCallback(
    () =>
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
            { fps: FRAMES_A_SECOND, qrbox: guide, videoConstraints: constraints },
            (text) => heard.current(text),
            undefined,
          );
          setState({ name: 'active' });
        } catch (error) {
          reader.current = undefined;
          setState({ name: 'failed', problem: cameraProblemOf(error) });
        }
      }),
    [inTurn],
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
      const stream = await navigator.mediaDevices.getUserMedia({ video: constraints });
      for (const track of stream.getTracks()) track.stop();
      return true;
    } catch (error) {
      setState({ name: 'failed', problem: cameraProblemOf(error) });
      return false;
    }
  }, []);

  useEffect(
    () => () => {
      inTurn(close);
    },
    [inTurn, close],
  );

  return { state, start, stop, test };
};
