/**
 * Every page: nothing sticks out, nothing complains, and everybody can use it. `npm test` looks at each page once, on a phone, and opens
 * each of the admin's tabs; `npm run endure` looks at each in all its states, on a phone and on a desktop.
 */
import type { Locator, Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { PAGES } from '#domain/contracts/pages.ts';
import { inChromium, leave, sharedSite, type Visit, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { eventually } from '#tests/kit/eventually.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { isWhole, sweep } from '#tests/kit/sweep.ts';
import { violations } from './axe.ts';
import { enter, newCustomer } from './people.ts';
import { button, shows } from './steps.ts';
import { type View, views, type Who } from './views.ts';

const PHONE = { width: 390, height: 844 };
/** A phone whose browser shows its bars. */
const SHORT = { width: 390, height: 664 };
/** A desktop's page at 400% (WCAG 1.4.10). */
const ZOOMED = { width: 320, height: 256 };
const DESKTOP = { width: 1440, height: 900 };

/** Where a page is looked at, and where it is looked at for what the question about cookies covers. */
const SIZES = sweep([SHORT], [PHONE, DESKTOP]);
const COVERED_SIZES = sweep([SHORT], [SHORT, PHONE, DESKTOP]);

/** The first view of each page of the client. */
const firsts = PAGES.map(({ path: page }) => {
  const matches = new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`);
  return [page, views.find(({ path }) => matches.test(path.replace(/\?.*/, '')))] as const;
});
const shown = sweep(
  firsts.flatMap(([, view]) => view ?? []),
  views,
);

test('every page of the client is visited by the spec', () => {
  expect(firsts.filter(([, view]) => !view)).toEqual([]);
});

/** Runs in the page: the words, or parts of words with hyphens, of which one line has the beginning and another the end. */
const brokenWords = (elements: readonly Element[]): readonly string[] =>
  elements.flatMap((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/[^\s-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    return broken;
  });

/**
 * Goes to a view's address. Whoever has a page open goes on in it, as by a link; by way of an unknown address, so that nothing of the
 * page before is left. Each load of its own would take a second of processor time: those are the sweep's.
 */
const goTo = async (page: Page, path: string): Promise<void> => {
  if (isWhole || page.url() === 'about:blank') {
    await page.goto(path);
    return;
  }
  const follow = (to: string) =>
    page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, to);
  await follow('/nowhere');
  await shows(page.getByText('404 Page Not Found')).toBeVisible();
  await follow(path);
};

/** Brings in what comes late: the words, the pictures below, the fonts. A toast's words don't count, since they go after some seconds. */
const settle = async (page: Page, { words }: View): Promise<void> => {
  const lasting = page.getByText(words).and(page.locator(':not(.toasts *)'));
  await shows(lasting.filter({ visible: true }).first()).toBeVisible();
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

/** What can be read on the page but is no larger than usual, or not whole, where the browser's letters are twice as large. */
const notEnlarged = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const words = text.textContent?.trim();
      const parent = text.parentElement;
      // The logo is a picture of words, and the account's button has a label.
      if (!words || !parent?.checkVisibility() || parent.closest('.logo, .avatar, .unseen, [aria-hidden]'))
        continue;
      if (Number.parseFloat(getComputedStyle(parent).fontSize) < 26) found.push(`small: ${words}`);
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      const frame = parent
        .closest('.button, .ticket-stub, .ticket-main, .reach > *')
        ?.getBoundingClientRect();
      if (frame && (left < frame.left || right > frame.right)) found.push(`cut off: ${words}`);
      // A price of which the pence stand below the pounds is another price.
      if (parent.closest('.reach') && !words.includes(' ') && range.getClientRects().length > 1)
        found.push(`broken: ${words}`);
    }
    return found;
  });

/** How far the page reaches beyond its window on the right, in pixels; for a moment after a resize also what is drawn for the old size. */
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
  const seen = new Map<Who, Visit>();

  beforeAll(async () => {
    site = await sharedSite();
  });

  const nia = { firstName: 'Nia', lastName: '', email: 'nia@example.test', password: 'lantern season' };
  const una = { ...nia, firstName: 'Una', email: 'una@example.test' };
  const entering: Readonly<Record<Who, (page: Page) => Promise<void>>> = {
    visitor: async () => undefined,
    newcomer: (page) => newCustomer(page, site, nia, 'registered'),
    unverified: (page) => newCustomer(page, site, una, 'complete'),
    customer: (page) => enter(page, 'customer@reprise.test'),
    staff: (page) => enter(page, 'staff@reprise.test'),
    superuser: (page) => enter(page, 'superuser@reprise.test'),
  };

  /** One person's page for all that they look at. They have not answered the question about cookies. */
  const pageOf = async (who: Who): Promise<Visit> => {
    const one = seen.get(who) ?? (await visit(browser(), site.origin, { ...PHONE, cookies: 'unasked' }));
    if (!seen.has(who)) await entering[who](one.page);
    seen.set(who, one);
    await one.page.unrouteAll({ behavior: 'ignoreErrors' });
    one.complaints.length = 0;
    return one;
  };

  test.each(shown.map((view) => [view.name, view] as const))('%s', async (_name, view) => {
    const { page: own, complaints } = await pageOf(view.who);
    // What a state leaves in its tab must not show in the next; of one state a page nothing is left.
    const page = isWhole ? await own.context().newPage() : own;
    await goTo(page, view.path);
    await view.act?.(page);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await settle(page, view);
      // Where the page was scrolled to on the phone, the header may lie over half a button on the desktop.
      await page.evaluate(() => scrollTo(0, 0));
      await eventually(async () =>
        expect(await sticksOut(page), `at ${size.width} px`).toBeLessThanOrEqual(0),
      );
      expect(await violations(page), `at ${size.width} px`).toEqual([]);
    }
    expect(await page.locator('h1').count(), 'what the page is, as a heading').toBe(1);
    if (isWhole) {
      await page.setViewportSize(ZOOMED);
      await settle(page, view);
      await eventually(async () => expect(await sticksOut(page), 'at 400%').toBeLessThanOrEqual(0));
    }
    for (const size of COVERED_SIZES) {
      await page.setViewportSize(size);
      expect(await coveredByCookies(page), `at ${size.width} × ${size.height} px`).toEqual([]);
    }
    expect(complaints.filter((text) => !view.expected?.some((known) => known.test(text)))).toEqual([]);
    if (isWhole) await page.close();
  });

  test('opens each of the admin’s tabs', async () => {
    const { page, complaints } = await pageOf('superuser');
    await page.setViewportSize(DESKTOP);
    await page.goto('/admin');
    const tabs = page.getByRole('tablist', { name: 'Admin' }).getByRole('tab');
    await shows(tabs.first()).toBeVisible();
    for (const tab of await tabs.all()) {
      await tab.click();
      // As the page has it: the browser tells of it a little later.
      const address = await page.evaluate(() => location.pathname + location.search);
      const view = views.find(({ path, act }) => path === address && !act);
      if (!view) throw new Error(`no view shows ${address}`);
      await settle(page, view);
      expect(await sticksOut(page), address).toBeLessThanOrEqual(0);
    }
    expect(complaints).toEqual([]);
  });

  endure('shows the hero image from edge to edge, starting at the header’s end', async () => {
    const { page } = await visit(browser(), site.origin, PHONE);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>';
    await page.route('**/images/stage.svg', (route) =>
      route.fulfill({ body: svg, contentType: 'image/svg+xml' }),
    );
    const hero = { key: 'hero_image_url', value: '/images/stage.svg' };
    await page.route('**/api/site-config', async (route) =>
      route.fulfill({ json: [...(await (await route.fetch()).json()), hero] }),
    );
    await page.goto('/');
    const picture = page.locator('.hero-image');
    await shows(picture).toBeVisible();
    const edges = () =>
      picture.evaluate((image) => {
        const { left, right, top } = image.getBoundingClientRect();
        const main = document.querySelector('main')?.getBoundingClientRect();
        return {
          left,
          right: right - innerWidth,
          top: top - (main?.top ?? 0),
          main: main?.width === innerWidth,
        };
      });
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await shows
        .poll(edges, { message: `at ${size.width} px` })
        .toEqual({ left: 0, right: 0, top: 0, main: true });
    }
    await leave(page);
  });

  endure('breaks titles between words, also on a narrow phone with letters twice as large', async () => {
    const { page } = await visit(browser(), site.origin, { width: 360 });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.enable');
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    for (const [path, title] of [
      ['/', 'Dumplings After Dark'],
      ['/events', 'Dumplings After Dark'],
      ['/events/60', 'An Evening With the Stars: Planetarium Concert'],
    ] as const) {
      await page.goto(path);
      await shows(page.getByRole('heading', { name: title }).first()).toBeVisible();
      expect(await page.locator('h1, h2, h3').evaluateAll(brokenWords), path).toEqual([]);
    }
    await leave(page);
  });

  test('asks about cookies once', async () => {
    const { page } = await visit(browser(), site.origin, { ...PHONE, cookies: 'unasked' });
    await page.goto('/');
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await shows(button(page, 'Accept')).toBeVisible();
      expect(await violations(page), `at ${size.width} px`).toEqual([]);
    }
    const other = await page.context().newPage();
    await other.goto('/about');
    await shows(button(other, 'Accept')).toBeVisible();
    await button(page, 'Reject').click();
    await shows(button(page, 'Accept')).toBeHidden();
    await shows(page.locator('#main')).toBeFocused();
    await shows(button(other, 'Accept')).toBeHidden();
    await page.reload();
    await shows(page.getByText('Upcoming Events')).toBeVisible();
    await shows(button(page, 'Accept')).toBeHidden();
    await leave(page);
  });

  endure('tells a password manager whose password is changed', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'customer@reprise.test');
    await page.goto('/profile/security');
    const form = page.locator('form').filter({ has: page.getByLabel('Current password') });
    await shows(form.locator('[autocomplete=username]')).toHaveValue('customer@reprise.test');
    await leave(page);
  });

  endure('tells a screen reader which rules a new password meets', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'customer@reprise.test');
    await page.goto('/profile/security');
    await page.getByLabel('New password', { exact: true }).fill('lantern');
    const rules = page.getByRole('listitem');
    await shows(rules.filter({ hasText: 'A lowercase letter' })).toHaveText('A lowercase letter, done');
    await shows(rules.filter({ hasText: 'A digit' })).toHaveText('A digit');
    await leave(page);
  });

  endure('shows the next event’s ticket on a phone as the profile opens', async () => {
    const { page } = await visit(browser(), site.origin, PHONE);
    await enter(page, 'customer@reprise.test');
    await page.goto('/profile');
    const ticket = button(page, 'Download ticket').first();
    await shows(ticket).toBeInViewport({ ratio: 1 });
    const topOf = async (one: Locator) => (await one.boundingBox())?.y ?? 0;
    expect(await topOf(page.getByText('What happened to this booking').first())).toBeGreaterThan(
      await topOf(ticket),
    );
    await leave(page);
  });

  endure('is printed without the question about cookies', async () => {
    const { page } = await visit(browser(), site.origin, { cookies: 'unasked' });
    await page.goto('/events/3');
    const question = page.getByText(/^We use the cookies that signing in/);
    await shows(question).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await shows(page.getByText('About this event')).toBeVisible();
    await shows(question).toBeHidden();
    await leave(page);
  });

  endure('is printed with a panel’s whole table, without its buttons', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    // Those of the demo: what other specs write may be longer than the page is wide.
    await page.goto('/admin?tab=refunds&search=audience.test');
    const table = page.getByRole('table');
    await shows(table.getByRole('row').nth(1)).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 });
    const requested = table.getByRole('columnheader', { name: 'Requested' });
    await shows(requested).toBeInViewport({ ratio: 1 });
    await shows(table.getByText('Actions', { exact: true })).toBeHidden();
    await shows(page.getByRole('tab', { name: 'Refunds' })).toBeVisible();
    await shows(page.getByRole('tab', { name: 'Events' })).toBeHidden();
    // Chromium doesn't divide what is to stay whole, and began such a list on its second page.
    const inside = (of: Locator) => of.evaluate((one) => getComputedStyle(one).breakInside);
    expect(await inside(page.locator('.card').filter({ has: table }))).toBe('auto');
    expect(await inside(table.getByRole('row').nth(1))).toBe('avoid');
    await leave(page);
  });

  endure.each(['/profile', '/profile/security', '/contact', '/admin?tab=refunds', '/admin?tab=events'])(
    'has buttons on %s that are large enough for a finger',
    async (path) => {
      const { page } = await visit(browser(), site.origin, { ...PHONE, touch: true });
      await enter(page, path.startsWith('/admin') ? 'superuser@reprise.test' : 'customer@reprise.test');
      await page.goto(path);
      await shows(page.getByRole('heading', { level: 1 })).toBeVisible();
      await shows(page.locator('main .skeleton')).toHaveCount(0);
      const small = await page
        .locator('main')
        .locator('.link, .button')
        .evaluateAll((all) =>
          all.flatMap((one) => {
            const { width, height } = one.getBoundingClientRect();
            return width > 0 && Math.min(width, height) < 43
              ? `${one.textContent}: ${width} × ${height}`
              : [];
          }),
        );
      expect(small).toEqual([]);
      await leave(page);
    },
  );

  endure('starts a call from the telephone number', async () => {
    const { page } = await visit(browser(), site.origin, PHONE);
    await page.goto('/contact');
    const number = page.getByRole('main').getByRole('link', { name: '020 7946 0000' });
    await shows(number).toHaveAttribute('href', 'tel:02079460000');
    await leave(page);
  });

  endure('shows the last update of a legal text as its date in London', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.clock.setFixedTime('2027-07-01T23:30:00Z');
    await page.goto('/privacy');
    await shows(page.getByText(/^Last updated: Friday 2 July 2027 · Version/)).toBeVisible();
    await leave(page);
  });

  endure.each(['/events', '/landing'])(
    'shows at %s that an event is tonight once its day has begun',
    async (path) => {
      const { page } = await visit(browser(), site.origin);
      await page.clock.install({ time: '2031-07-01T22:59:30Z' });
      // The site's own time, which pages go by, is another.
      await page.route(/\/api\/(?!sse)/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), date: '' } });
      });
      await page.route('**/api/events?*', async (route) => {
        const response = await route.fetch();
        const [event] = await response.json();
        const json = [{ ...event, date: '2031-07-02', time: '19:30' }];
        await route.fulfill({ json, headers: { 'x-total-count': '1' } });
      });
      await page.goto(path);
      await shows(page.getByText(/^Tomorrow/).first()).toBeVisible();
      await page.clock.fastForward('01:00');
      await shows(page.getByText(/^Tonight/).first()).toBeVisible();
      await leave(page);
    },
  );

  /** An event's page as it is with other texts. */
  const showEvent = async (page: Page, texts: object): Promise<void> => {
    await page.route('**/api/events/3', async (route) =>
      route.fulfill({ json: { ...(await (await route.fetch()).json()), ...texts } }),
    );
    await page.goto('/events/3');
  };

  endure('keeps the button on a desktop’s first screen below a long title', async () => {
    const { page } = await visit(browser(), site.origin, DESKTOP);
    await showEvent(page, {
      title:
        'An Evening of Songs That Nobody Has Sung Since the War, With Those Who Remember Them, and a Choir',
    });
    await shows(page.getByRole('link', { name: 'Book Now' }).filter({ visible: true })).toBeInViewport({
      ratio: 1,
    });
    await leave(page);
  });

  endure('breaks a tag that is longer than its column', async () => {
    const { page } = await visit(browser(), site.origin);
    await showEvent(page, { tags: ['x'.repeat(100)] });
    const widthOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().width);
    expect(await widthOf(page.getByText('xxx'))).toBeLessThanOrEqual(await widthOf(page.locator('.prose')));
    await leave(page);
  });

  endure('aligns right-to-left text to the right', async () => {
    const { page } = await visit(browser(), site.origin);
    await showEvent(page, { title: 'ليالي القاهرة (live)', description: '<p>مرحبا بكم!</p>' });
    const [first = 0, last = 0] = await page.getByText('مرحبا بكم!').evaluate(({ firstChild }) =>
      [0, 9].map((at) => {
        const range = new Range();
        range.setStart(firstChild as Text, at);
        range.setEnd(firstChild as Text, at + 1);
        return range.getBoundingClientRect().left;
      }),
    );
    expect(first).toBeGreaterThan(last);
    const title = page.getByRole('heading', { level: 1 });
    expect(await title.evaluate((one) => getComputedStyle(one).textAlign)).toBe('left');
    await leave(page);
  });

  test('marks a chosen filter in forced colours', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/events');
    const ground = (name: RegExp) =>
      button(page, name).evaluate((chip) => getComputedStyle(chip).backgroundColor);
    await button(page, /Concerts/).click();
    await shows(button(page, /Concerts/)).toHaveAttribute('aria-pressed', 'true');
    expect(await ground(/Concerts/)).not.toBe(await ground(/Dining/));
    await enter(page, 'customer@reprise.test');
    await page.goto('/profile');
    await button(page, 'Delete Account').click();
    const box = page.getByRole('checkbox');
    const unticked = await box.screenshot();
    await box.click();
    // Where the pointer and the focus are tells nothing.
    await page.getByRole('dialog').getByLabel('Your password').focus();
    await page.mouse.move(0, 0);
    expect((await box.screenshot()).equals(unticked)).toBe(false);
    await leave(page);
  });

  endure('marks a disabled button in forced colours', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.emulateMedia({ forcedColors: 'active' });
    await newCustomer(page, site, { ...nia, email: 'ora@example.test' });
    await page.goto('/booking/5');
    await shows(button(page, 'One ticket fewer')).toHaveAttribute('aria-disabled', 'true');
    await shows(button(page, 'One ticket more')).not.toHaveAttribute('aria-disabled');
    const colour = (name: string) => button(page, name).evaluate((one) => getComputedStyle(one).color);
    expect(await colour('One ticket fewer')).not.toBe(await colour('One ticket more'));
    await leave(page);
  });

  endure('ignores a blank search, in the header and in the list', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/events?search=candlelight');
    const searches = page.getByRole('searchbox');
    await shows(searches).toHaveCount(2);
    for (const search of await searches.all()) {
      await search.fill('   ');
      await search.press('Enter');
    }
    await page.locator('main').getByLabel('City', { exact: true }).selectOption('London');
    await shows(page).toHaveURL('/events?city=London&search=candlelight');
    await shows(searches.last()).toHaveValue('candlelight');
    await leave(page);
  });

  endure('applies two filters that are chosen faster than the list is drawn', async () => {
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

/** What the browser's settings call the size of letters: the usual is 16. */
const LARGE_LETTERS = ['--blink-settings=defaultFontSize=32'];

inChromium(
  'a browser with letters twice as large',
  (browser) => {
    endure.each(['/', '/events', '/events/3', '/auth', '/help', '/profile', '/booking/3'])(
      'shows all of %s',
      async (path) => {
        const { page } = await visit(browser(), (await sharedSite()).origin, PHONE);
        if (/profile|booking/.test(path)) await enter(page, 'customer@reprise.test');
        await page.goto(path);
        await shows(page.getByRole('heading', { level: 1 })).toBeVisible();
        await shows(page.locator('main .skeleton')).toHaveCount(0);
        for (const size of [PHONE, DESKTOP]) {
          await page.setViewportSize(size);
          await shows.poll(() => notEnlarged(page), { message: `at ${size.width} px` }).toEqual([]);
          expect(await sticksOut(page), `at ${size.width} px`).toBeLessThanOrEqual(0);
        }
        await leave(page);
      },
    );
  },
  { args: LARGE_LETTERS },
);
