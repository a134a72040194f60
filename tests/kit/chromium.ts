/** The machine's own Chromium, which specs drive. */
import { existsSync } from 'node:fs';
import { isWhole } from './sweep.ts';

/** The browser without windows: a new page takes it a quarter of the time. */
const SHELL = '/usr/bin/chromium-headless-shell';
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const places = [process.env.CHROMIUM_PATH, ...(isWhole ? [...BROWSERS, SHELL] : [SHELL, ...BROWSERS])];

/** Undefined where there is none: the specs that need it are skipped, and say so. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place));

/** Whether it goes by the settings of a profile. */
export const keepsProfiles = chromiumPath !== SHELL;

/** What keeps it from doing anything but what it is told. */
export const QUIET = [
  ...['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
  ...['--disable-sync', '--no-first-run'],
];
