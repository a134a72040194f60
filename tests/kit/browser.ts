/** Browsers for specs, and the site that they share. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, beforeEach, describe, inject, test } from 'vitest';
import { COOKIE_CONSENT } from '#domain/contracts/envelope.ts';
import { lifeOf } from '#infra/lib/machine.ts';
import { chromiumPath, QUIET } from './chromium.ts';
import type { StartedSite } from './started-site.ts';

/** How long a page may take to show what a spec waits for, in milliseconds: long enough for a busy machine. */
export const PATIENCE = 60_000;

/** The site that all browser specs of a run share, once it is ready: each uses accounts and listings of its own. */
export const sharedSite = async (): Promise<Pick<StartedSite, 'origin' | 'dataDir'>> => {
  const site = inject('runningSite');
  const isReady = () =>
    fetch(`${site.origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (lifeOf(site.pid) === 'gone')
      throw new Error('the site that browser specs share did not start; see above');
    await pause(100);
  }
  return site;
};

const MOST_TOLD = 3_000;

/** What a page showed when a spec failed on it, for whoever has to find out why. */
const tellOf = async (page: Page): Promise<void> => {
  const shown = await page
    .evaluate(() => {
      const { tagName = '', id = '' } = document.activeElement ?? {};
      return `focus on ${tagName} ${id}\n${document.body.innerText}`;
    })
    .catch(String);
  console.error(`${page.url()}, ${shown.slice(0, MOST_TOLD)}`);
};

const launch = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: [...QUIET, ...args],
  });

/** The browser of all groups in this process that ask for nothing special. It ends with the process. */
let common: Promise<Browser> | undefined;
const commonBrowser = (): Promise<Browser> => {
  common ??= launch();
  return common;
};

/**
 * A group of specs in one Chromium, which `body` reaches through the function that it is given.
 * @param args flags of a browser that no other group uses
 * @param reason why it must be skipped even where there is a Chromium
 */
export const inChromium = (
  name: string,
  body: (browser: () => Browser) => void,
  { args, reason }: { args?: readonly string[]; reason?: string | undefined } = {},
): void => {
  const why = chromiumPath ? reason : 'there is no Chromium here (CHROMIUM_PATH names one)';
  if (why) {
    describe(name, () => test.skip(`skipped, because ${why}`, () => undefined));
    return;
  }
  // A busy machine shows a page a spec long after it was asked for; none waits for the time alone.
  describe(name, { timeout: 300_000 }, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await (args ? launch(args) : commonBrowser());
    });
    afterAll(async () => {
      if (args) await browser?.close();
      else for (const context of browser?.contexts() ?? []) await context.close();
    });
    beforeEach(({ onTestFailed }) => {
      onTestFailed(async () => {
        for (const page of browser.contexts().flatMap((context) => context.pages())) await tellOf(page);
      });
    });
    body(() => browser);
  });
};

export type Visit = Awaited<ReturnType<typeof visit>>;

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  /** Whether they have answered the question about cookies. Default `answered`. */
  readonly cookies?: 'answered' | 'unasked';
  /** Whether pages may keep themselves for a time without a network. Where they do, specs can't answer their calls. Default `block`. */
  readonly serviceWorkers?: 'allow' | 'block';
  /** The screen is touched, as those of phones and tablets are. */
  readonly touch?: boolean;
}

/** Opens a page for somebody whom the site has never seen. Errors and warnings of all their pages become complaints. */
export const visit = async (
  browser: Browser,
  baseURL: string,
  {
    width = 1440,
    height = 900,
    cookies = 'answered',
    serviceWorkers = 'block',
    touch = false,
  }: VisitOptions = {},
) => {
  const context = await browser.newContext({
    ...{ baseURL, viewport: { width, height }, reducedMotion: 'reduce', serviceWorkers },
    ...{ locale: 'en-GB', timezoneId: 'Europe/London', hasTouch: touch, isMobile: touch },
  });
  context.setDefaultTimeout(PATIENCE);
  if (cookies === 'answered') {
    // With it they get the page that draws itself, as whoever comes back does.
    await context.addCookies([{ name: COOKIE_CONSENT, value: 'rejected', url: baseURL }]);
    await context.addInitScript(() => {
      // an empty tab, or the browser's own page about an error, has no storage
      if (location.protocol.startsWith('http')) localStorage.setItem('cookie-consent', 'rejected');
    });
  }
  const complaints: string[] = [];
  const complain = (text: string): void => {
    complaints.push(text);
  };
  context.on('console', (message) => {
    // Where a spec blocks service workers, this is how the browser is told so.
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (message.type() === 'error' || message.type() === 'warning')
      complain(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => complain(`uncaught: ${error.error().message}`));
  return { page: await context.newPage(), complaints };
};

/** Closes what a person has open. Calls that a spec holds up or answers itself are let go of first: they would fail in a closed window. */
export const leave = async (page: Page): Promise<void> => {
  const context = page.context();
  for (const one of context.pages()) await one.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
};
