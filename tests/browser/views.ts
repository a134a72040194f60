/** Every page of the client, in the states that people meet it in. */
import type { Page } from '@playwright/test';
import { button, shows, typeCard } from './steps.ts';

/**
 * Who looks: nobody signed in; somebody who has just registered; somebody who has not opened the link in the mail; or one of
 * the demo's people.
 */
export type Who = 'visitor' | 'newcomer' | 'unverified' | 'customer' | 'staff' | 'superuser';

export interface View {
  readonly name: string;
  readonly path: string;
  readonly who: Who;
  /** Words that show once the page is as it should be looked at. */
  readonly words: string | RegExp;
  /** Brings the page into its state. */
  readonly act?: (page: Page) => Promise<void>;
  /** What the browser's console says about answers that belong to the state. */
  readonly expected?: readonly RegExp[];
}

const EVENT = '/events/3';
const SOLD_OUT = 4;
const OVER = 19;
const status = (code: number, path: string): RegExp => new RegExp(`status of ${code} .*${path}`);

/** Runs in the page: whether an element is in sight, with nothing over its middle. */
export const isUncovered = (element: HTMLElement): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
};

/** Runs in the page: makes its browser one that can't verify tickets, so that the scanner depends on the server. */
export const cannotVerify = (): void => {
  SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('Ed25519', 'NotSupportedError'));
};

/** Runs in the page: makes its browser one that refuses databases. */
export const keepsNothing = (): void => {
  IDBFactory.prototype.open = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
};

/** Makes the site's release another one than that of the scanner's page. */
export const olderThanTheSite = (page: Page) =>
  page.route('**/scanner-files.json', (route) => route.fulfill({ json: [] }));

/** Fills the gallery of the images tab, whose second picture is the logo and the hero, without uploading any. */
export const showGallery = async (page: Page): Promise<void> => {
  const stored = (colour: string, size: string) =>
    `/images/${'0123456789abcdef01234567'}-${colour}-${size}.webp`;
  const image = (id: number, originalName: string, path: string, width: number, height: number) => ({
    ...{
      id,
      originalName,
      path,
      width,
      height,
      secureUrl: path,
      thumbnailUrl: `https://reprise.test${path}`,
    },
    ...{ type: id === 2 ? 'logo' : 'event', format: 'webp', bytes: id * 90_000 },
    createdAt: '2026-03-01T12:00:00.000Z',
  });
  const images = [
    image(1, 'pier-at-dusk.jpg', stored('6a3a2a', '1200x800'), 1200, 800),
    image(2, 'wordmark.png', stored('123a5a', '1600x320'), 1600, 320),
    image(
      3,
      `${'a-very-long-name-that-a-camera-gave-'.repeat(3)}.jpg`,
      stored('2a5a3a', '600x900'),
      600,
      900,
    ),
  ];
  await page.route('**/images/0123456789abcdef01234567-*', (route) => {
    const [, colour, width, height] = /-([0-9a-f]{6})-(\d+)x(\d+)/.exec(route.request().url()) ?? [];
    const ground = `<rect width="100%" height="100%" fill="#${colour}"/>`;
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}<circle cx="50%" cy="50%" r="30%" fill="#fff"/></svg>`;
    return route.fulfill({ body, contentType: 'image/svg+xml' });
  });
  await page.route('**/api/admin/images?*', (route) =>
    route.fulfill({ json: images, headers: { 'x-total-count': '3' } }),
  );
  await page.route('**/api/site-config', async (route) => {
    const used = ['site_logo_url', 'hero_image_url'].map((key) => ({ key, value: images[1]?.path }));
    await route.fulfill({ json: [...(await (await route.fetch()).json()), ...used] });
  });
  await page.reload();
};

/** Shows seven sponsors in the footer and in their tab, without adding any. */
export const showSponsors = async (page: Page): Promise<void> => {
  const shapes = [
    [480, 120],
    [200, 200],
    [1600, 90],
    [90, 480],
  ] as const;
  const sponsors = Array.from({ length: 7 }, (_, index) => {
    const [width, height] = shapes[index % shapes.length] ?? shapes[0];
    const url = `https://reprise.test/images/0123456789abcdef01234567-123a5a-${width}x${height}.webp`;
    const name =
      index === 2 ? 'The Very Long Established Company of Lamplighters and Bill Posters' : `Sponsor ${index}`;
    return {
      id: `id-${index}`,
      name,
      link: `https://sponsor-${index}.example/`,
      url,
      width,
      height,
      order: index,
    };
  });
  await page.route('**/images/0123456789abcdef01234567-*', (route) => {
    const [, width, height] = /-(\d+)x(\d+)/.exec(route.request().url()) ?? [];
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#123a5a"/></svg>`;
    return route.fulfill({ body, contentType: 'image/svg+xml' });
  });
  await page.route('**/api/sponsors', (route) =>
    route.fulfill({
      json: sponsors.map(({ id, name, link, url, width, height }) => ({
        ...{ id, name, link },
        logo: { width, height, color: '#123a5a', sizes: [{ url, width }] },
      })),
    }),
  );
  await page.route('**/api/admin/sponsors?*', (route) =>
    route.fulfill({
      json: sponsors.map(({ id, name, link, url, order }) => ({
        id,
        name,
        link,
        logo: url,
        order,
        revision: '',
      })),
      headers: { 'x-total-count': '7' },
    }),
  );
  await page.reload();
};

/** Shows the page of the proof as it is where the log does not fit its tree. */
export const showBrokenLog = async (page: Page): Promise<void> => {
  const findings = [
    { kind: 'changed', entry: 3, name: 'booking-1@0' },
    { kind: 'swapped', entry: 7, other: 9, name: null },
  ];
  const [askedAt, startedAt, doneAt] = [
    '2026-03-01T03:00:00Z',
    '2026-03-01T03:00:01Z',
    '2026-03-01T03:00:09Z',
  ];
  const check = {
    id: 1,
    askedAt,
    askedBy: 'projector',
    startedAt,
    doneAt,
    compared: 12,
    size: 12,
    error: null,
  };
  await page.route('**/api/audit/verification', (route) =>
    route.fulfill({
      json: {
        ...{ size: 12, signedSize: 12, signedAt: askedAt, brokenAt: doneAt },
        broken: 'Entry 3 (booking-1, revision 0) was changed.',
        checks: [{ ...check, findings }],
      },
    }),
  );
  await page.reload();
};

const visitor: readonly Omit<View, 'who'>[] = [
  { name: 'start', path: '/', words: 'Upcoming Events' },
  { name: 'landing', path: '/landing', words: /^First concert: London, September 26th/ },
  {
    name: 'events',
    path: '/events',
    words: /^\d+ events found$/,
    async act(page) {
      await shows(page.getByRole('heading', { level: 1, name: 'All Events' })).toBeVisible();
      await shows(page.getByRole('link', { name: 'View All Featured' })).toBeVisible();
      await shows(page.getByRole('heading', { level: 2, name: 'All Events' })).toBeVisible();
    },
  },
  {
    name: 'events-filtered',
    path: '/events?category=concerts&city=London',
    words: /found in Concerts in London/,
  },
  { name: 'events-none', path: '/events?search=zzzz', words: 'No events found' },
  {
    name: 'events-near',
    path: '/events?search=shakespere',
    words: 'Here is what is spelt nearly so: 1 event',
  },
  { name: 'event', path: EVENT, words: /^\d,\d{3}$/ },
  { name: 'event-over', path: `/events/${OVER}`, words: 'This event is over' },
  { name: 'event-sold-out', path: `/events/${SOLD_OUT}`, words: 'Every ticket is gone' },
  {
    name: 'event-missing',
    path: '/events/99999',
    words: 'Event Not Found',
    expected: [status(404, '/events/99999'), status(404, '/api/events/99999')],
  },
  { name: 'sign-in', path: '/auth', words: 'Welcome Back' },
  {
    name: 'sign-in-refused',
    path: '/auth',
    words: 'Welcome Back',
    expected: [status(401, '/api/auth/login')],
    async act(page) {
      await page.getByLabel('Email').fill('customer@reprise.test');
      await page.getByLabel('Password', { exact: true }).fill('not this one');
      await button(page, 'Sign In').click();
      await shows(page.getByText('Login failed')).toBeVisible();
    },
  },
  {
    name: 'register',
    path: '/auth',
    words: 'First name is required',
    async act(page) {
      await button(page, 'Create an account').click();
      await page.getByLabel('Password', { exact: true }).fill('lantern season');
      await button(page, 'Create Account').click();
    },
  },
  {
    name: 'forgot-password',
    path: '/auth',
    words: 'Send Reset Link',
    async act(page) {
      await button(page, 'Forgot password?').click();
      await page.getByRole('dialog').getByLabel('Email').press('Enter');
      await shows(page.getByText('Please enter your email address')).toBeVisible();
    },
  },
  {
    name: 'sign-in-code-refused',
    path: '/auth?step=code',
    words: 'Welcome Back',
    expected: [status(401, '/api/auth/second-factor')],
    async act(page) {
      await page.getByLabel('Code').fill('123456');
      await button(page, 'Continue').click();
      await shows(page.getByText('That took too long. Please sign in again.')).toBeVisible();
    },
  },
  { name: 'sign-in-code', path: '/auth?step=code', words: 'One more step' },
  { name: 'verify-email', path: '/verify-email', words: 'Check your inbox' },
  { name: 'verify-email-asking', path: '/verify-email?token=spent', words: 'Verify your email' },
  {
    name: 'verify-email-failed',
    path: '/verify-email?token=spent',
    words: 'Verification failed',
    act: async (page) => {
      await page.getByLabel('Your password').fill('lantern season');
      await button(page, 'Verify Email').click();
    },
    expected: [status(400, '/api/auth/verify-email')],
  },
  { name: 'reset-password', path: '/reset-password', words: /Reset Link/ },
  {
    name: 'reset-password-failed',
    path: '/reset-password?token=spent',
    words: /Invalid Reset Link/,
    expected: [status(400, '/api/auth/verify-reset-token')],
  },
  {
    name: 'reset-password-unanswered',
    path: '/reset-password?token=spent',
    words: 'Your reset link could not be checked. It has not been used.',
    expected: [status(400, '/api/auth/verify-reset-token'), /net::ERR_FAILED .*verify-reset-token/],
    async act(page) {
      await page.route('**/api/auth/verify-reset-token', (route) => route.abort());
      await page.reload();
      await shows(page.getByText('Network error. Please try again.')).toBeVisible();
      await shows(button(page, 'Try again')).toBeVisible();
    },
  },
  { name: 'unsubscribe', path: '/newsletter-unsubscribe?email=nia%40example.test', words: /Unsubscribe/ },
  { name: 'unsubscribe-linked', path: '/newsletter-unsubscribe?token=cut.off', words: /^One press/ },
  {
    name: 'unsubscribe-cut-off',
    path: '/newsletter-unsubscribe?token=cut.off',
    words: 'This link is incomplete. Type your address instead.',
    expected: [status(400, '/newsletter-unsubscribe')],
    act: (page) => button(page, 'Unsubscribe').click(),
  },
  { name: 'profile-deleted', path: '/profile-deleted', words: /deleted/ },
  {
    name: 'register-invited',
    path: '/profile-deleted',
    words: 'Confirm password',
    act: (page) => page.getByRole('link', { name: 'Create a new account' }).click(),
  },
  { name: 'verify-ticket', path: '/verify-ticket/forged', words: 'Not one of our tickets' },
  { name: 'ticket-code', path: '/T/FORGED', words: 'Not one of our tickets' },
  { name: 'help', path: '/help', words: 'Getting Started' },
  { name: 'contact', path: '/contact', words: /24 hours/ },
  { name: 'about', path: '/about', words: 'What we are for' },
  {
    name: 'logo-broken',
    path: '/about',
    words: 'What we are for',
    expected: [/Failed to load image/, /ERR_FAILED .*images\.test/],
    async act(page) {
      let asked = 0;
      await page.route('https://images.test/**', (route) => {
        asked += 1;
        return route.abort();
      });
      await page.route('**/api/site-config', (route) =>
        route.fulfill({ json: [{ key: 'site_logo_url', value: 'https://images.test/logo.png' }] }),
      );
      const givenUp = page.waitForEvent('console', (said) => said.text().startsWith('Failed to load image'));
      await page.reload();
      await givenUp;
      const home = page.getByRole('banner').getByRole('link', { name: 'Reprise, home' });
      await shows(home.getByText('Reprise')).toBeVisible();
      // the header's and the footer's share some of their requests
      if (asked < 3) throw new Error(`a broken logo was asked for ${asked} times only`);
    },
  },
  { name: 'privacy', path: '/privacy', words: /last updated/i },
  { name: 'terms', path: '/terms', words: /last updated/i },
  { name: 'cookies', path: '/cookies', words: /last updated/i },
  { name: 'not-found', path: '/nowhere', words: '404 Page Not Found', expected: [status(404, '/nowhere')] },
];

const customer: readonly Omit<View, 'who'>[] = [
  { name: 'home', path: '/', words: 'Live Concerts' },
  {
    name: 'account-menu',
    path: '/about',
    words: 'Log out',
    act: (page) => button(page, /, account of/).click(),
  },
  { name: 'profile', path: '/profile', words: 'Download ticket' },
  {
    name: 'profile-history',
    path: '/profile',
    words: /^Booked: /,
    act: (page) => page.getByText('What happened to this booking').first().click(),
  },
  {
    name: 'profile-proof',
    path: '/profile',
    words: 'Proven',
    act: (page) => page.getByText('Proof that it is in our log').first().click(),
  },
  {
    name: 'profile-past',
    path: '/profile',
    words: 'Completed',
    act: (page) => page.getByRole('tab', { name: /Past/ }).click(),
  },
  {
    name: 'profile-cancelled',
    path: '/profile',
    words: 'Refund Denied',
    act: (page) => page.getByRole('tab', { name: /Cancelled/ }).click(),
  },
  {
    name: 'cancel-booking',
    path: '/profile',
    words: 'You get back',
    act: (page) => button(page, 'Cancel booking').last().click(),
  },
  {
    name: 'own-data',
    path: '/profile',
    words: 'Download my data',
    async act(page) {
      await button(page, 'Download my data').click();
      await shows(page.getByText('Your data is saved')).toBeVisible();
    },
  },
  {
    name: 'delete-account',
    path: '/profile',
    words: /upcoming bookings? will be cancelled/,
    act: (page) => button(page, 'Delete Account').click(),
  },
  {
    name: 'delete-account-unconfirmed',
    path: '/profile',
    words: 'Please enter your password',
    expected: [status(400, '/api/profile')],
    async act(page) {
      await button(page, 'Delete Account').click();
      await page.getByLabel('I understand that this can’t be undone').check();
      await button(page, 'Delete my account').click();
      const password = page.getByLabel('Your password');
      await shows(password).toHaveAttribute('aria-invalid', 'true');
      await shows(password).toBeFocused();
    },
  },
  { name: 'security', path: '/profile/security', words: 'This one' },
  {
    name: 'security-second-step',
    path: '/profile/security',
    words: 'Code from the app',
    async act(page) {
      await button(page, 'Set it up').click();
      await page.getByLabel('Your password').fill('Encore-2026!');
      await button(page, 'Continue').click();
      await shows(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    },
  },
  {
    name: 'security-password-refused',
    path: '/profile/security',
    words: 'That is not your password',
    expected: [status(400, '/api/profile/password')],
    async act(page) {
      await page.getByLabel('Current password').fill('not this one');
      await page.getByLabel('New password', { exact: true }).fill('Encore-2027!');
      await page.getByLabel('Confirm new password').fill('Encore-2027!');
      await button(page, 'Change password').click();
      await shows(page.getByLabel('Current password')).toBeFocused();
    },
  },
  { name: 'checkout', path: '/booking/3', words: /^Held for you for/ },
  {
    name: 'checkout-promo',
    path: '/booking/3',
    words: 'ENCORE10 takes £4.20 off',
    async act(page) {
      await page.getByLabel('Promo code').fill('encore10');
      await button(page, 'Apply').click();
    },
  },
  {
    name: 'checkout-free',
    path: '/booking/3',
    words: 'Nothing to pay',
    async act(page) {
      await page.getByLabel('Promo code').fill('guestlist');
      await button(page, 'Apply').click();
    },
  },
  {
    name: 'checkout-declined',
    path: '/booking/3',
    words: /Nothing was charged, and your tickets are still held/,
    expected: [status(402, '/confirm')],
    async act(page) {
      await shows(page.getByText(/^Held for you for/)).toBeVisible();
      await typeCard(page, '4000000000000002');
      await button(page, 'Pay £42.00').click();
      // nothing lies over the words that say so, the bar with the button least of all
      await shows
        .poll(() => page.getByText(/^Your card was declined. Nothing was charged/).evaluate(isUncovered))
        .toBe(true);
    },
  },
  {
    name: 'checkout-challenge',
    path: '/booking/3',
    words: 'Complete authentication',
    async act(page) {
      await shows(page.getByText(/^Held for you for/)).toBeVisible();
      await typeCard(page, '4000002500003155');
      await button(page, 'Pay £42.00').click();
    },
  },
  {
    name: 'checkout-sold-out',
    path: `/booking/${SOLD_OUT}`,
    words: 'Sold Out',
    expected: [status(409, '/api/create-payment-intent')],
  },
];

const newcomer: readonly Omit<View, 'who'>[] = [
  { name: 'profile-complete', path: '/profile-complete', words: /^Welcome, / },
];

const unverified: readonly Omit<View, 'who'>[] = [
  { name: 'profile-empty', path: '/profile', words: 'Nothing booked yet' },
  { name: 'checkout-unverified', path: '/booking/3', words: 'Email Verification Required' },
];

const staff: readonly Omit<View, 'who'>[] = [
  { name: 'scanner', path: '/scanner', words: 'Recent Scans' },
  {
    name: 'scanner-turned-away',
    path: '/scanner',
    // Other specs turn people away on the same site.
    words: /^(Nobody turned away|Showing \d+ to \d+ of \d+ scans)$/,
    act: (page) => page.getByRole('tab', { name: 'Turned away' }).click(),
  },
  {
    name: 'scanner-without-camera',
    path: '/scanner',
    words: 'No camera? Enter the code by hand',
    act: (page) => button(page, 'Start Camera Scanner').click(),
  },
  {
    name: 'scanner-unanswered',
    path: '/scanner',
    words: 'One scan has no answer yet',
    expected: [/net::ERR_FAILED .*\/api\/tickets\/scan/],
    async act(page) {
      await page.evaluate(cannotVerify);
      await page.route('**/api/tickets/scan', (route) => route.abort());
      await page.getByLabel('Enter a code by hand').fill('not a ticket');
      await button(page, 'Scan').click();
    },
  },
  {
    name: 'scanner-newer',
    path: '/scanner',
    words: 'A newer scanner is out',
    async act(page) {
      await olderThanTheSite(page);
      await page.addInitScript(keepsNothing);
      await page.reload();
      await shows(page.getByText('This browser keeps nothing')).toBeVisible();
    },
  },
  {
    name: 'scanner-offline',
    path: '/scanner',
    words: 'This gate is offline',
    expected: [/net::ERR_FAILED .*\/api\/tickets\/(scan|day)/],
    async act(page) {
      await shows(page.getByText(/^Ready for a network failure/)).toBeVisible();
      await page.route(/\/api\/tickets\/(scan|day)/, (route) => route.abort());
      await page.getByLabel('This gate is for').selectOption({ index: 1 });
    },
  },
  {
    name: 'scanner-conflicts',
    path: '/scanner?list=conflicts',
    // Other specs let copies in on the same site.
    words: /^(No conflicts|Showing \d+ to \d+ of \d+ scans)$/,
  },
  {
    name: 'scanner-guests',
    path: '/scanner',
    words: 'Nobody called “Nobody Atall” has a ticket here.',
    async act(page) {
      await page.getByLabel('Name or reference').fill('Nobody Atall');
      await button(page, 'Search').click();
    },
  },
  {
    name: 'scanner-refused',
    path: '/scanner',
    words: 'Invalid Ticket',
    async act(page) {
      await page.getByLabel('Enter a code by hand').fill('not a ticket');
      await button(page, 'Scan').click();
    },
  },
];

const superuser: readonly Omit<View, 'who'>[] = [
  { name: 'audit', path: '/audit?type=BookingPlaced', words: /^by / },
  { name: 'audit-replay', path: '/audit?tab=replay&of=listing-3', words: /^Step \d+ of \d+$/ },
  { name: 'audit-projections', path: '/audit?tab=projections', words: 'Live: what everybody reads' },
  {
    name: 'audit-event',
    path: '/audit?type=BookingPlaced',
    words: 'What it changed',
    act: (page) =>
      button(page, /Booking placed/)
        .first()
        .click(),
  },
  {
    name: 'audit-event-proof',
    path: '/audit?type=BookingPlaced',
    words: 'Proven',
    async act(page) {
      await button(page, /Booking placed/)
        .first()
        .click();
      await page.getByRole('dialog').getByText('Proof that it is in our log').click();
    },
  },
  { name: 'audit-proof', path: '/audit?tab=proof', words: /entries are signed/ },
  {
    name: 'audit-proof-entry',
    path: '/audit?tab=proof',
    words: 'Proven',
    async act(page) {
      await page.getByLabel('Entry, booking, place in a stream or event’s id').fill('1');
      await button(page, 'Prove it').click();
    },
  },
  {
    name: 'audit-proof-broken',
    path: '/audit?tab=proof',
    words: 'Entry 3 (booking-1, revision 0) was changed.',
    act: showBrokenLog,
  },
  { name: 'admin', path: '/admin', words: 'Quick Actions' },
  {
    name: 'admin-keys',
    path: '/admin',
    words: 'Show these keys',
    async act(page) {
      await shows(page.getByRole('tab', { name: 'Dashboard' })).toBeVisible();
      await page.keyboard.press('?');
    },
  },
  { name: 'admin-dashboard', path: '/admin?tab=dashboard', words: 'Quick Actions' },
  { name: 'admin-content', path: '/admin?tab=content', words: 'Events on a page' },
  {
    name: 'admin-setting',
    path: '/admin?tab=content',
    words: 'The value has to be a link that begins with https://',
    expected: [status(400, '/api/admin/site-config')],
    async act(page) {
      await button(page, 'Edit Facebook').click();
      await page.getByLabel('Value').fill('javascript:alert(1)');
      await button(page.getByRole('dialog'), 'Save').click();
    },
  },
  { name: 'admin-images', path: '/admin?tab=images', words: 'No images yet' },
  { name: 'admin-images-shown', path: '/admin?tab=images', words: 'Now the logo', act: showGallery },
  {
    name: 'admin-upload-image',
    path: '/admin?tab=images',
    words: 'Please choose a file',
    async act(page) {
      await button(page, 'Upload').click();
      await button(page.getByRole('dialog'), 'Upload').click();
    },
  },
  {
    name: 'admin-email-templates',
    path: '/admin?tab=email-templates',
    words: /^Showing 1 to \d+ of \d+ templates$/,
  },
  {
    name: 'admin-edit-email-template',
    path: '/admin?tab=email-templates',
    words: /^As plain text/,
    async act(page) {
      await button(page, 'Edit Booking confirmed').click();
      await button(page.getByRole('dialog'), 'Preview with sample data').click();
      await shows(
        page.frameLocator('iframe').getByRole('heading', { name: 'You’re going to Night Ferry' }),
      ).toBeVisible();
    },
  },
  {
    name: 'admin-webhooks',
    path: '/admin?tab=webhooks',
    words: /^(No webhooks yet|Showing 1 to \d+ of \d+ webhooks)$/,
  },
  {
    name: 'admin-add-webhook',
    path: '/admin?tab=webhooks',
    words: 'Please choose at least one',
    async act(page) {
      await button(page, 'Add Webhook').click();
      await button(page.getByRole('dialog'), 'Add Webhook').click();
    },
  },
  { name: 'admin-scanner', path: '/admin?tab=scanner', words: 'Recent Scans' },
  { name: 'admin-audit', path: '/admin?tab=audit', words: /^Showing 1 to \d+ of \d+ entries$/ },
  { name: 'admin-analytics', path: '/admin?tab=analytics', words: '18–24' },
  { name: 'admin-events', path: '/admin?tab=events', words: 'Left / capacity' },
  {
    name: 'admin-create-event',
    path: '/admin?tab=events',
    words: 'Venue selection is required',
    async act(page) {
      await button(page, 'Create Event').click();
      await button(page.getByRole('dialog'), 'Create Event').click();
    },
  },
  {
    name: 'admin-edit-event',
    path: '/admin?tab=events',
    words: 'Active: people can find and book it',
    act: (page) =>
      button(page, /^Edit /)
        .first()
        .click(),
  },
  {
    name: 'admin-delete-event',
    path: '/admin?tab=events',
    words: /is paid back\.$/,
    act: (page) =>
      button(page, /^Delete /)
        .first()
        .click(),
  },
  {
    name: 'admin-refunds',
    path: '/admin?tab=refunds',
    words: /^Showing 1 to 10 of \d+ refunds$/,
  },
  {
    name: 'admin-deny-refund',
    path: '/admin?tab=refunds&status=denied',
    words: 'The customer reads this, on the site and by email.',
    act: (page) =>
      button(page, /^Deny refund/)
        .first()
        .click(),
  },
  {
    name: 'admin-bookings',
    path: '/admin?tab=bookings',
    words: /^Showing 1 to 25 of \d,\d{3} bookings$/,
  },
  {
    name: 'admin-edit-booking',
    path: '/admin?tab=bookings&status=confirmed',
    words: /back on sale and mails the customer/,
    async act(page) {
      await button(page, /^Edit booking/)
        .first()
        .click();
      await page.getByRole('dialog').getByLabel('Status').selectOption('cancelled');
    },
  },
  { name: 'admin-cities', path: '/admin?tab=cities', words: /^Showing 1 to 10 of \d+ cities$/ },
  {
    name: 'admin-add-city',
    path: '/admin?tab=cities',
    words: 'City name is required',
    async act(page) {
      await button(page, 'Add City').click();
      await button(page.getByRole('dialog'), 'Add City').click();
    },
  },
  {
    name: 'admin-categories',
    path: '/admin?tab=categories',
    words: /^Showing 1 to \d+ of \d+ categories$/,
  },
  {
    name: 'admin-edit-category',
    path: '/admin?tab=categories',
    words: 'Please provide both name and emoji for the category',
    async act(page) {
      await button(page, 'Edit Concerts').click();
      await page.getByLabel('Emoji').fill('');
      await button(page.getByRole('dialog'), 'Save').click();
    },
  },
  { name: 'admin-users', path: '/admin?tab=users', words: /^Showing 1 to \d+ of \d+ users$/ },
  {
    name: 'admin-edit-user',
    path: '/admin?tab=users&role=staff',
    words: 'Active: they can sign in',
    act: (page) =>
      button(page, /^Edit /)
        .first()
        .click(),
  },
  {
    name: 'admin-hard-delete-user',
    path: '/admin?tab=users&role=staff',
    words: 'Type CONFIRM DELETE to go on',
    async act(page) {
      await button(page, /^Hard delete /)
        .first()
        .click();
      await button(page.getByRole('dialog'), 'Delete for good').click();
      await shows(page.getByText("Must type 'CONFIRM DELETE' exactly to proceed")).toBeVisible();
    },
  },
  {
    name: 'admin-newsletter',
    path: '/admin?tab=newsletter',
    // Other specs subscribe on the same site.
    words: /^(No subscribers yet|Showing 1 to \d+ of \d+ subscribers)$/,
  },
  { name: 'admin-sponsors', path: '/admin?tab=sponsors', words: 'No sponsors yet' },
  {
    name: 'admin-sponsors-shown',
    path: '/admin?tab=sponsors',
    words: 'Our sponsors',
    act: showSponsors,
  },
  {
    name: 'admin-add-sponsor',
    path: '/admin?tab=sponsors',
    words: 'Logo is required',
    async act(page) {
      await button(page, 'Add Sponsor').click();
      await button(page.getByRole('dialog'), 'Add Sponsor').click();
    },
  },
  { name: 'admin-venues', path: '/admin?tab=venues', words: /^Showing 1 to \d+ of \d+ venues$/ },
  {
    name: 'admin-add-venue',
    path: '/admin?tab=venues',
    words: 'City is required',
    async act(page) {
      await button(page, 'Add Venue').click();
      await button(page.getByRole('dialog'), 'Add Venue').click();
    },
  },
  { name: 'admin-promotions', path: '/admin?tab=promotions', words: /^Showing 1 to \d+ of \d+ promotions$/ },
  {
    name: 'admin-create-promotion',
    path: '/admin?tab=promotions',
    words: 'Please fill in promotion name and code',
    async act(page) {
      await button(page, 'Create Promotion').click();
      await button(page.getByRole('dialog'), 'Create Promotion').click();
    },
  },
  {
    name: 'admin-city-in-use',
    path: '/admin?tab=cities',
    words: 'London',
    expected: [status(409, '/api/admin/cities/')],
    async act(page) {
      await button(page, 'Delete London').click();
      await button(page.getByRole('dialog'), 'Delete').click();
      await shows(page.getByText('Failed to delete city')).toBeVisible();
    },
  },
];

const all = { visitor, customer, staff, superuser, newcomer, unverified } satisfies Record<
  Who,
  readonly Omit<View, 'who'>[]
>;

/** All views, in the order of who looks. */
export const views: readonly View[] = (Object.keys(all) as Who[]).flatMap((who) =>
  all[who].map((view) => ({ ...view, who })),
);
