/** Every page on a phone and on a desktop: nothing sticks out, nothing complains, and everybody can use it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type Axe from 'axe-core';
import { beforeAll, expect, test } from 'vitest';
import { CLIENT_PAGES } from '#infra/http/client-pages.ts';
import { inChromium, leave, sharedSite, type Visit, type VisitOptions, visit } from '#tests/kit/browser.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { enter, newCustomer } from './people.ts';
import { button, shows } from './steps.ts';
import { type View, views, type Who } from './views.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const PHONE = { width: 390, height: 844 };
/** A phone whose browser shows its bars. */
const SHORT = { width: 390, height: 664 };
const DESKTOP = { width: 1440, height: 900 };

test('every page of the client is among them', () => {
  const patterns = CLIENT_PAGES.map((page) => ({
    page,
    matches: new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`),
  }));
  const paths = views.map(({ path }) => path.replace(/\?.*/, ''));
  const unseen = patterns.filter(({ matches }) => !paths.some((path) => matches.test(path)));
  expect(unseen.map(({ page }) => page)).toEqual([]);
});

/** Brings in what comes late: the words, the pictures below, the fonts. */
const settle = async (page: Page, { words }: View): Promise<void> => {
  await shows(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
  await shows(page.locator('main .skeleton')).toHaveCount(0);
  await page.evaluate(async () => {
    const pictures = [...document.images];
    for (const picture of pictures) picture.loading = 'eager';
    await Promise.all(
      pictures
        .filter((picture) => !picture.complete)
        // the console tells of those that are broken
        .map((picture) => picture.decode().catch(() => undefined)),
    );
    await document.fonts.ready;
  });
};

/** What keeps somebody from using the page as it is now, by axe's rules. */
const violations = async (page: Page): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (values) => {
    const { axe } = window as typeof window & { readonly axe: typeof Axe };
    const found = await axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, RULES);
};

/** How far the page reaches beyond its window on the right, in pixels. */
const sticksOut = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The buttons and links that the question about cookies lies over, wherever the page is scrolled to. */
const coveredByCookies = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const covered = new Set<string>();
    const { scrollHeight } = document.documentElement;
    for (let top = 0; top < scrollHeight; top += innerHeight / 2) {
      scrollTo(0, top);
      for (const action of document.querySelectorAll<HTMLElement>('main a, main button')) {
        const { x, y, width, height } = action.getBoundingClientRect();
        if (width === 0) continue;
        const over = document.elementFromPoint(x + width / 2, y + height / 2);
        if (over?.closest('[aria-label="Cookies"]')) covered.add(action.innerText);
      }
    }
    scrollTo(0, 0);
    return [...covered];
  });

inChromium('every page', (browser) => {
  let site: Pick<StartedSite, 'origin' | 'dataDir'>;
  const known = new Map<Who, VisitOptions['as']>();
  const seen = new Map<Who, Visit>();

  beforeAll(async () => {
    site = await sharedSite();
    const keep = async (who: Who, enters: (page: Page) => Promise<void>): Promise<void> => {
      const { page } = await visit(browser(), site.origin);
      await enters(page);
      known.set(who, await page.context().storageState());
      await leave(page);
    };
    for (const who of ['customer', 'staff', 'superuser'] as const)
      await keep(who, (page) => enter(page, `${who}@reprise.test`));
    const nia = { firstName: 'Nia', lastName: '', email: 'nia@example.test', password: 'lantern season' };
    await keep('newcomer', (page) => newCustomer(page, site, nia, 'registered'));
    const una = { ...nia, firstName: 'Una', email: 'una@example.test' };
    await keep('unverified', (page) => newCustomer(page, site, una, 'complete'));
  });

  /** One person's browser for all that they look at, as people have. They have not answered the question about cookies. */
  const browserOf = async (who: Who): Promise<Visit> => {
    const as = known.get(who);
    const options = { ...PHONE, ...(as ? { as } : {}), cookies: 'unasked' } as const;
    const one = seen.get(who) ?? (await visit(browser(), site.origin, options));
    seen.set(who, one);
    return one;
  };

  test.each(views.map((view) => [view.name, view] as const))('%s', async (_name, view) => {
    const one = await browserOf(view.who);
    one.complaints.length = 0;
    const page = await one.page.context().newPage();
    await page.goto(view.path);
    await view.act?.(page);
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await settle(page, view);
      // Where the page was scrolled to on the phone, the header may lie over half a button on the desktop.
      await page.evaluate(() => scrollTo(0, 0));
      expect(await sticksOut(page), `at ${size.width} px`).toBeLessThanOrEqual(0);
      expect(await violations(page), `at ${size.width} px`).toEqual([]);
    }
    for (const size of [SHORT, PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      expect(await coveredByCookies(page), `at ${size.width} × ${size.height} px`).toEqual([]);
    }
    const unexpected = one.complaints.filter((text) => !view.expected?.some((known) => known.test(text)));
    expect(unexpected).toEqual([]);
    await page.close();
  });

  test('the question about cookies is asked once', async () => {
    const { page } = await visit(browser(), site.origin, { ...PHONE, cookies: 'unasked' });
    await page.goto('/');
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await shows(button(page, 'Accept')).toBeVisible();
      expect(await violations(page), `at ${size.width} px`).toEqual([]);
    }
    await button(page, 'Reject').click();
    await shows(button(page, 'Accept')).toBeHidden();
    await shows(page.locator('#main')).toBeFocused();
    await page.reload();
    await shows(page.getByText('Upcoming Events')).toBeVisible();
    await shows(button(page, 'Accept')).toBeHidden();
    await leave(page);
  });

  test('two filters chosen faster than a slow machine draws the list both count', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/events');
    await shows(button(page, /Concerts/)).toBeVisible();
    const city = page.getByRole('main').getByRole('combobox', { name: 'City' });
    await shows(city.getByRole('option', { name: 'London' })).toBeAttached();
    await city.evaluate((select: HTMLSelectElement) => {
      const chips = [...document.querySelectorAll<HTMLElement>('main button')];
      chips.find((chip) => chip.textContent?.includes('Concerts'))?.click();
      select.value = 'London';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await shows(page.getByText(/^\d+ events? found in Concerts in London$/)).toBeVisible();
    await leave(page);
  });
});
