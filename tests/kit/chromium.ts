/** The machine's own Chromium, which specs drive. */
import { existsSync } from 'node:fs';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Undefined where there is none: the specs that need it are skipped, and say so. */
export const chromiumPath = PLACES.find((place) => place !== undefined && existsSync(place));

/** What keeps it from doing anything but what it is told. */
export const QUIET = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
