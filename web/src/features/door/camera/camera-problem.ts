export interface CameraProblem {
  readonly title: string;
  readonly advice: string;
}

const problems = {
  unsupported: {
    title: 'Camera Not Supported',
    advice:
      'This browser gives no access to the camera, or the page was not opened over HTTPS. Enter the code by hand.',
  },
  denied: {
    title: 'Camera Permission Denied',
    advice: 'Access to the camera is blocked. Allow it from the address bar, then start again.',
  },
  missing: { title: 'No Camera Found', advice: 'This device has no camera, or it is not plugged in.' },
  busy: {
    title: 'Camera Busy',
    advice: 'Another app or tab is using the camera. Close it, then start again.',
  },
  constraints: {
    title: 'Camera Constraints Error',
    advice:
      'This camera can’t give the picture that scanning needs. Try another one, or enter the code by hand.',
  },
  browser: {
    title: 'Browser Not Supported',
    advice: 'This browser can’t scan. Use a current Chrome, Safari or Firefox, or enter the code by hand.',
  },
  lost: {
    title: 'No Camera Found',
    advice:
      'The camera was unplugged or switched off. Plug it in and start again, or enter the code by hand.',
  },
  reader: {
    title: 'Camera Access Failed',
    advice:
      'What reads the codes could not be loaded. Check the connection and start again, or enter the code by hand.',
  },
  failed: {
    title: 'Camera Access Failed',
    advice: 'The camera didn’t start. Try again, or enter the code by hand.',
  },
} as const;

export const cameraLost: CameraProblem = problems.lost;
export const readerMissing: CameraProblem = problems.reader;

const signs: readonly (readonly [RegExp, keyof typeof problems])[] = [
  [/NotAllowedError|PermissionDenied|Permission denied|SecurityError/i, 'denied'],
  [/NotFoundError|DevicesNotFound|Requested device not found/i, 'missing'],
  [/NotReadableError|TrackStartError|AbortError|Could not start video/i, 'busy'],
  [/OverconstrainedError|ConstraintNotSatisfied/i, 'constraints'],
  [/NotSupportedError|TypeError|not supported/i, 'browser'],
];

/** Libraries throw strings; browsers throw named errors. */
export const cameraProblemOf = (error: unknown): CameraProblem => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return problems[signs.find(([sign]) => sign.test(text))?.[1] ?? 'failed'];
};

export const cameraUnsupported = (): CameraProblem | undefined =>
  window.isSecureContext && typeof navigator.mediaDevices?.getUserMedia === 'function'
    ? undefined
    : problems.unsupported;
