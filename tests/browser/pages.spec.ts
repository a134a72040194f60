/** Every page on a phone and on a desktop: nothing sticks out, nothing complains, and everybody can use it. */
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_PAGES } from '#infra/http/client-pages.ts';
import { inChromium, type Visit, type VisitOptions, visit } from './chromium.ts';
import { freshDataDir, type Site, startOne } from './site.ts';
import { button, completeProfile, register, shows, signIn } from './steps.ts';
import { type View, views, type Who } from './views.ts';

const SHOTS = join(import.meta.dirname, '../../test-results/pages');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

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

/** What keeps somebody from using the page, by axe's rules. Pages have no frames of others, so axe needs no page of its own beside each. */
const violations = async (page: Page): Promise<readonly string[]> => {
  const found = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode(true).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
};

inChromium('every page', (browser) => {
  let data: Awaited<ReturnType<typeof freshDataDir>>;
  let site: Site;
  const known = new Map<Who, NonNullable<VisitOptions['as']>>();

  beforeAll(async () => {
    data = await freshDataDir();
    site = await startOne(data.path, { RATE_LIMITS: 'off' });
    const keep = async (who: Who, enter: (page: Page) => Promise<void>): Promise<void> => {
      const { page } = await visit(browser(), site.origin);
      await enter(page);
      known.set(who, await page.context().storageState());
      await page.context().close();
    };
    await keep('customer', (page) => signIn(page, 'customer@reprise.test'));
    await keep('staff', (page) => signIn(page, 'staff@reprise.test'));
    await keep('superuser', (page) => signIn(page, 'superuser@reprise.test'));
    const registered = async (page: Page, email: string): Promise<void> => {
      await page.goto('/auth');
      await register(page, { firstName: 'Nia', lastName: '', email, password: 'lantern season' });
    };
    await keep('newcomer', (page) => registered(page, 'nia@example.test'));
    await keep('unverified', async (page) => {
      await registered(page, 'una@example.test');
      await completeProfile(page);
    });
  });
  afterAll(async () => {
    await site?.stop();
    await data.remove();
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
    await page.context().close();
  });

  describe.each(SIZES)('at $width px', (size) => {
    const seen = new Map<Who, Visit>();
    /** One person's browser for all that they look at, as people have. */
    const browserOf = async (who: Who): Promise<Visit> => {
      const as = known.get(who);
      const one = seen.get(who) ?? (await visit(browser(), site.origin, { ...size, ...(as ? { as } : {}) }));
      seen.set(who, one);
      return one;
    };
    afterAll(async () => {
      for (const one of seen.values()) await one.page.context().close();
    });

    test.each(views.map((view) => [view.name, view] as const))('%s', async (name, view) => {
      const one = await browserOf(view.who);
      one.complaints.length = 0;
      const page = await one.page.context().newPage();
      await page.goto(view.path);
      await view.act?.(page);
      await settle(page, view);
      await page.screenshot({
        path: join(SHOTS, `${name}-${size.width}.jpg`),
        type: 'jpeg',
        quality: 85,
        fullPage: true,
      });

      const { scrollWidth, clientWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        clientWidth: document.documentElement.clientWidth,
      }));
      expect(scrollWidth, 'nothing sticks out').toBeLessThanOrEqual(clientWidth);
      expect(await violations(page)).toEqual([]);
      const unexpected = one.complaints.filter((text) => !view.expected?.some((known) => known.test(text)));
      expect(unexpected).toEqual([]);
      await page.close();
    });

    test('the question about cookies', async () => {
      const { page } = await visit(browser(), site.origin, { ...size, cookies: 'unasked' });
      await page.goto('/');
      await shows(button(page, 'Accept')).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await button(page, 'Reject').click();
      await shows(button(page, 'Accept')).toBeHidden();
      await page.reload();
      await shows(page.getByText('Upcoming Events')).toBeVisible();
      await shows(button(page, 'Accept')).toBeHidden();
      await page.context().close();
    });
  });
});
