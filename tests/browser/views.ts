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
  readonly act?: (page: Page) => Promise<void>;
  /** What the browser's console says about answers that belong to the state. */
  readonly expected?: readonly RegExp[];
}

type Act = (page: Page) => Promise<void>;
type Views = readonly Omit<View, 'who'>[];

/** Its words, what the browser's console says of it, and what brings it into its state. */
type Rest = [words: View['words'], ...([] | [Act] | [readonly RegExp[], Act?])];

const view = (name: string, path: string, ...[words, first, second]: Rest): Omit<View, 'who'> => {
  const [expected, act] = typeof first === 'function' ? [undefined, first] : [first, second];
  return { name, path, words, ...(expected ? { expected } : {}), ...(act ? { act } : {}) };
};

const tab = (name: string, query: string, ...rest: Rest) =>
  view(`admin-${name}`, `/admin?tab=${query}`, ...rest);

const press =
  (name: string | RegExp): Act =>
  (page) =>
    button(page, name).click();
const pressFirst =
  (name: RegExp): Act =>
  (page) =>
    button(page, name).first().click();
const choose =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('tab', { name }).click();
const unfold =
  (words: string): Act =>
  (page) =>
    page.getByText(words).first().click();
/** Opens a dialog and sends it as it is. */
const hurry =
  (name: string, send = name): Act =>
  async (page) => {
    await button(page, name).click();
    await button(page.getByRole('dialog'), send).click();
  };
const submit =
  (label: string, text: string, name: string): Act =>
  async (page) => {
    await page.getByLabel(label).fill(text);
    await button(page, name).click();
  };
const pay =
  (card: string): Act =>
  async (page) => {
    await shows(page.getByText(/^Held for you for/)).toBeVisible();
    await typeCard(page, card);
    await button(page, 'Pay £42.00').click();
  };
/** The page says those words, among others, once it is done. */
const saying =
  (words: string, act: Act): Act =>
  async (page) => {
    await act(page);
    await shows(page.getByText(words)).toBeVisible();
  };

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

const stored = (colour: string, size: string) => `/images/0123456789abcdef01234567-${colour}-${size}.webp`;

/** Draws the pictures that `stored` names, without any being uploaded. */
const drawPictures = (page: Page) =>
  page.route('**/images/0123456789abcdef01234567-*', (route) => {
    const [, colour, width, height] = /-([0-9a-f]{6})-(\d+)x(\d+)/.exec(route.request().url()) ?? [];
    const ground = `<rect width="100%" height="100%" fill="#${colour}"/><circle cx="50%" cy="50%" r="30%" fill="#fff"/>`;
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}</svg>`;
    return route.fulfill({ body, contentType: 'image/svg+xml' });
  });

const answer = (page: Page, path: string, json: object, headers: Record<string, string> = {}) =>
  page.route(path, (route) => route.fulfill({ json, headers }));

/** Fills the gallery of the images tab, whose second picture is the logo and the hero. */
export const showGallery = async (page: Page): Promise<void> => {
  const image = (id: number, originalName: string, colour: string, width: number, height: number) => {
    const path = stored(colour, `${width}x${height}`);
    const urls = { path, secureUrl: path, thumbnailUrl: `https://reprise.test${path}` };
    const kind = { type: id === 2 ? 'logo' : 'event', format: 'webp', bytes: id * 90_000 };
    return { id, originalName, width, height, ...urls, ...kind, createdAt: '2026-03-01T12:00:00.000Z' };
  };
  const images = [
    image(1, 'pier-at-dusk.jpg', '6a3a2a', 1200, 800),
    image(2, 'wordmark.png', '123a5a', 1600, 320),
    image(3, `${'a-very-long-name-that-a-camera-gave-'.repeat(3)}.jpg`, '2a5a3a', 600, 900),
  ];
  await drawPictures(page);
  await answer(page, '**/api/admin/images?*', images, { 'x-total-count': '3' });
  await page.route('**/api/site-config', async (route) => {
    const used = ['site_logo_url', 'hero_image_url'].map((key) => ({ key, value: images[1]?.path }));
    await route.fulfill({ json: [...(await (await route.fetch()).json()), ...used] });
  });
  await page.reload();
};

/** Shows seven sponsors in the footer and in their tab, without adding any. */
export const showSponsors = async (page: Page): Promise<void> => {
  const long = 'The Very Long Established Company of Lamplighters and Bill Posters';
  const sponsors = Array.from({ length: 7 }, (_, order) => {
    const size = ['480x120', '200x200', '1600x90', '90x480'][order % 4] ?? '';
    const [width, height] = size.split('x').map(Number);
    const url = `https://reprise.test${stored('123a5a', size)}`;
    const name = order === 2 ? long : `Sponsor ${order}`;
    const sponsor = { id: `id-${order}`, name, link: `https://sponsor-${order}.example/` };
    const logo = { width, height, color: '#123a5a', sizes: [{ url, width }] };
    return { shown: { ...sponsor, logo }, listed: { ...sponsor, logo: url, order, revision: '' } };
  });
  await drawPictures(page);
  const listed = sponsors.map((one) => one.listed);
  const shown = sponsors.map((one) => one.shown);
  await answer(page, '**/api/sponsors', shown);
  await answer(page, '**/api/admin/sponsors?*', listed, { 'x-total-count': '7' });
  await page.reload();
};

/** Shows the page of the proof as it is where the log does not fit its tree. */
export const showBrokenLog = async (page: Page): Promise<void> => {
  const findings = [
    { kind: 'changed', entry: 3, name: 'booking-1@0' },
    { kind: 'swapped', entry: 7, other: 9, name: null },
  ];
  const [askedAt, startedAt, doneAt] = ['00', '01', '09'].map((second) => `2026-03-01T03:00:${second}Z`);
  const times = { askedAt, askedBy: 'projector', startedAt, doneAt };
  const check = { id: 1, ...times, compared: 12, size: 12, error: null, findings };
  await answer(page, '**/api/audit/verification', {
    ...{ size: 12, signedSize: 12, signedAt: askedAt, brokenAt: doneAt, checks: [check] },
    broken: 'Entry 3 (booking-1, revision 0) was changed.',
  });
  await page.reload();
};

const visitor: Views = [
  view('start', '/', 'Upcoming Events'),
  view('landing', '/landing', /^First concert: London, September 26th/),
  view('events', '/events', /^\d+ events found$/, async (page) => {
    await shows(page.getByRole('heading', { level: 1, name: 'All Events' })).toBeVisible();
    await shows(page.getByRole('link', { name: 'View All Featured' })).toBeVisible();
    await shows(page.getByRole('heading', { level: 2, name: 'All Events' })).toBeVisible();
  }),
  view('events-filtered', '/events?category=concerts&city=London', /found in Concerts in London/),
  view('events-none', '/events?search=zzzz', 'No events found'),
  view('events-near', '/events?search=shakespere', 'Here is what is spelt nearly so: 1 event'),
  view('event', EVENT, /^\d,\d{3}$/),
  view('event-over', `/events/${OVER}`, 'This event is over'),
  view('event-sold-out', `/events/${SOLD_OUT}`, 'Every ticket is gone'),
  view('event-missing', '/events/99999', 'Event Not Found', [
    status(404, '/events/99999'),
    status(404, '/api/events/99999'),
  ]),
  view('sign-in', '/auth', 'Welcome Back'),
  view('sign-in-refused', '/auth', 'Welcome Back', [status(401, '/api/auth/login')], async (page) => {
    await page.getByLabel('Email').fill('customer@reprise.test');
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await button(page, 'Sign In').click();
    await shows(page.getByText('Login failed')).toBeVisible();
  }),
  view('register', '/auth', 'First name is required', async (page) => {
    await button(page, 'Create an account').click();
    await page.getByLabel('Password', { exact: true }).fill('lantern season');
    await button(page, 'Create Account').click();
  }),
  view('forgot-password', '/auth', 'Send Reset Link', async (page) => {
    await button(page, 'Forgot password?').click();
    await page.getByRole('dialog').getByLabel('Email').press('Enter');
    await shows(page.getByText('Please enter your email address')).toBeVisible();
  }),
  view(
    'sign-in-code-refused',
    '/auth?step=code',
    'Welcome Back',
    [status(401, '/api/auth/second-factor')],
    saying('That took too long. Please sign in again.', submit('Code', '123456', 'Continue')),
  ),
  view('sign-in-code', '/auth?step=code', 'One more step'),
  view('verify-email', '/verify-email', 'Check your inbox'),
  view('verify-email-asking', '/verify-email?token=spent', 'Verify your email'),
  view(
    'verify-email-failed',
    '/verify-email?token=spent',
    'Verification failed',
    [status(400, '/api/auth/verify-email')],
    submit('Your password', 'lantern season', 'Verify Email'),
  ),
  view('reset-password', '/reset-password', /Reset Link/),
  view('reset-password-failed', '/reset-password?token=spent', /Invalid Reset Link/, [
    status(400, '/api/auth/verify-reset-token'),
  ]),
  view(
    'reset-password-unanswered',
    '/reset-password?token=spent',
    'Your reset link could not be checked. It has not been used.',
    [status(400, '/api/auth/verify-reset-token'), /net::ERR_FAILED .*verify-reset-token/],
    async (page) => {
      await page.route('**/api/auth/verify-reset-token', (route) => route.abort());
      await page.reload();
      await shows(page.getByText('Network error. Please try again.')).toBeVisible();
      await shows(button(page, 'Try again')).toBeVisible();
    },
  ),
  view('unsubscribe', '/newsletter-unsubscribe?email=nia%40example.test', /Unsubscribe/),
  view('unsubscribe-linked', '/newsletter-unsubscribe?token=cut.off', /^One press/),
  view(
    'unsubscribe-cut-off',
    '/newsletter-unsubscribe?token=cut.off',
    'This link is incomplete. Type your address instead.',
    [status(400, '/newsletter-unsubscribe')],
    press('Unsubscribe'),
  ),
  view('profile-deleted', '/profile-deleted', /deleted/),
  view('register-invited', '/profile-deleted', 'Confirm password', (page) =>
    page.getByRole('link', { name: 'Create a new account' }).click(),
  ),
  view('verify-ticket', '/verify-ticket/forged', 'Not one of our tickets'),
  view('ticket-code', '/T/FORGED', 'Not one of our tickets'),
  view('help', '/help', 'Getting Started'),
  view('contact', '/contact', /24 hours/),
  view('about', '/about', 'What we are for'),
  view(
    'logo-broken',
    '/about',
    'What we are for',
    [/Failed to load image/, /ERR_FAILED .*images\.test/],
    async (page) => {
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
  ),
  view('privacy', '/privacy', /last updated/i),
  view('terms', '/terms', /last updated/i),
  view('cookies', '/cookies', /last updated/i),
  view('not-found', '/nowhere', '404 Page Not Found', [status(404, '/nowhere')]),
];

const customer: Views = [
  view('home', '/', 'Live Concerts'),
  view('account-menu', '/about', 'Log out', press(/, account of/)),
  view('profile', '/profile', 'Download ticket'),
  view('profile-history', '/profile', /^Booked: /, unfold('What happened to this booking')),
  view('profile-proof', '/profile', 'Proven', unfold('Proof that it is in our log')),
  view('profile-past', '/profile', 'Completed', choose(/Past/)),
  view('profile-cancelled', '/profile', 'Refund Denied', choose(/Cancelled/)),
  view('cancel-booking', '/profile', 'You get back', (page) => button(page, 'Cancel booking').last().click()),
  view('own-data', '/profile', 'Download my data', saying('Your data is saved', press('Download my data'))),
  view('delete-account', '/profile', /upcoming bookings? will be cancelled/, press('Delete Account')),
  view(
    'delete-account-unconfirmed',
    '/profile',
    'Please enter your password',
    [status(400, '/api/profile')],
    async (page) => {
      await button(page, 'Delete Account').click();
      await page.getByLabel('I understand that this can’t be undone').check();
      await button(page, 'Delete my account').click();
      const password = page.getByLabel('Your password');
      await shows(password).toHaveAttribute('aria-invalid', 'true');
      await shows(password).toBeFocused();
    },
  ),
  view('security', '/profile/security', 'This one'),
  view('security-second-step', '/profile/security', 'Code from the app', async (page) => {
    await button(page, 'Set it up').click();
    await page.getByLabel('Your password').fill('Encore-2026!');
    await button(page, 'Continue').click();
    await shows(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  }),
  view(
    'security-password-refused',
    '/profile/security',
    'That is not your password',
    [status(400, '/api/profile/password')],
    async (page) => {
      await page.getByLabel('Current password').fill('not this one');
      await page.getByLabel('New password', { exact: true }).fill('Encore-2027!');
      await page.getByLabel('Confirm new password').fill('Encore-2027!');
      await button(page, 'Change password').click();
      await shows(page.getByLabel('Current password')).toBeFocused();
    },
  ),
  view('checkout', '/booking/3', /^Held for you for/),
  view('checkout-promo', '/booking/3', 'ENCORE10 takes £4.20 off', submit('Promo code', 'encore10', 'Apply')),
  view('checkout-free', '/booking/3', 'Nothing to pay', submit('Promo code', 'guestlist', 'Apply')),
  view(
    'checkout-declined',
    '/booking/3',
    /Nothing was charged, and your tickets are still held/,
    [status(402, '/confirm')],
    async (page) => {
      await pay('4000000000000002')(page);
      // nothing lies over the words that say so, the bar with the button least of all
      await shows
        .poll(() => page.getByText(/^Your card was declined. Nothing was charged/).evaluate(isUncovered))
        .toBe(true);
    },
  ),
  view('checkout-challenge', '/booking/3', 'Complete authentication', pay('4000002500003155')),
  view('checkout-sold-out', `/booking/${SOLD_OUT}`, 'Sold Out', [status(409, '/api/create-payment-intent')]),
];

const newcomer: Views = [view('profile-complete', '/profile-complete', /^Welcome, /)];

const unverified: Views = [
  view('profile-empty', '/profile', 'Nothing booked yet'),
  view('checkout-unverified', '/booking/3', 'Email Verification Required'),
];

const staff: Views = [
  view('scanner', '/scanner', 'Recent Scans'),
  // Other specs turn people away on the same site.
  view(
    'scanner-turned-away',
    '/scanner',
    /^(Nobody turned away|Showing \d+ to \d+ of \d+ scans)$/,
    choose('Turned away'),
  ),
  view(
    'scanner-without-camera',
    '/scanner',
    'No camera? Enter the code by hand',
    press('Start Camera Scanner'),
  ),
  view(
    'scanner-unanswered',
    '/scanner',
    'One scan has no answer yet',
    [/net::ERR_FAILED .*\/api\/tickets\/scan/],
    async (page) => {
      await page.evaluate(cannotVerify);
      await page.route('**/api/tickets/scan', (route) => route.abort());
      await page.getByLabel('Enter a code by hand').fill('not a ticket');
      await button(page, 'Scan').click();
    },
  ),
  view('scanner-newer', '/scanner', 'A newer scanner is out', async (page) => {
    await olderThanTheSite(page);
    await page.addInitScript(keepsNothing);
    await page.reload();
    await shows(page.getByText('This browser keeps nothing')).toBeVisible();
  }),
  view(
    'scanner-offline',
    '/scanner',
    'This gate is offline',
    [/net::ERR_FAILED .*\/api\/tickets\/(scan|day)/],
    async (page) => {
      await shows(page.getByText(/^Ready for a network failure/)).toBeVisible();
      await page.route(/\/api\/tickets\/(scan|day)/, (route) => route.abort());
      await page.getByLabel('This gate is for').selectOption({ index: 1 });
    },
  ),
  // Other specs let copies in on the same site.
  view('scanner-conflicts', '/scanner?list=conflicts', /^(No conflicts|Showing \d+ to \d+ of \d+ scans)$/),
  view(
    'scanner-guests',
    '/scanner',
    'Nobody called “Nobody Atall” has a ticket here.',
    submit('Name or reference', 'Nobody Atall', 'Search'),
  ),
  view(
    'scanner-refused',
    '/scanner',
    'Invalid Ticket',
    submit('Enter a code by hand', 'not a ticket', 'Scan'),
  ),
];

const superuser: Views = [
  view('audit', '/audit?type=BookingPlaced', /^by /),
  view('audit-replay', '/audit?tab=replay&of=listing-3', /^Step \d+ of \d+$/),
  view('audit-projections', '/audit?tab=projections', 'Live: what everybody reads'),
  view('audit-event', '/audit?type=BookingPlaced', 'What it changed', pressFirst(/Booking placed/)),
  view('audit-event-proof', '/audit?type=BookingPlaced', 'Proven', async (page) => {
    await button(page, /Booking placed/)
      .first()
      .click();
    await page.getByRole('dialog').getByText('Proof that it is in our log').click();
  }),
  view('audit-proof', '/audit?tab=proof', /entries are signed/),
  view(
    'audit-proof-entry',
    '/audit?tab=proof',
    'Proven',
    submit('Entry, booking, place in a stream or event’s id', '1', 'Prove it'),
  ),
  view(
    'audit-proof-broken',
    '/audit?tab=proof',
    'Entry 3 (booking-1, revision 0) was changed.',
    showBrokenLog,
  ),
  view('admin', '/admin', 'Quick Actions'),
  view('admin-keys', '/admin', 'Show these keys', async (page) => {
    await shows(page.getByRole('tab', { name: 'Dashboard' })).toBeVisible();
    await page.keyboard.press('?');
  }),
  tab('dashboard', 'dashboard', 'Quick Actions'),
  tab('content', 'content', 'Events on a page'),
  tab(
    'setting',
    'content',
    'The value has to be a link that begins with https://',
    [status(400, '/api/admin/site-config')],
    async (page) => {
      await button(page, 'Edit Facebook').click();
      await page.getByLabel('Value').fill('javascript:alert(1)');
      await button(page.getByRole('dialog'), 'Save').click();
    },
  ),
  tab('images', 'images', 'No images yet'),
  tab('images-shown', 'images', 'Now the logo', showGallery),
  tab('upload-image', 'images', 'Please choose a file', hurry('Upload')),
  tab('email-templates', 'email-templates', /^Showing 1 to \d+ of \d+ templates$/),
  tab('edit-email-template', 'email-templates', /^As plain text/, async (page) => {
    await button(page, 'Edit Booking confirmed').click();
    await button(page.getByRole('dialog'), 'Preview with sample data').click();
    await shows(
      page.frameLocator('iframe').getByRole('heading', { name: 'You’re going to Night Ferry' }),
    ).toBeVisible();
  }),
  tab('webhooks', 'webhooks', /^(No webhooks yet|Showing 1 to \d+ of \d+ webhooks)$/),
  tab('add-webhook', 'webhooks', 'Please choose at least one', hurry('Add Webhook')),
  tab('scanner', 'scanner', 'Recent Scans'),
  tab('audit', 'audit', /^Showing 1 to \d+ of \d+ entries$/),
  tab('analytics', 'analytics', '18–24'),
  tab('events', 'events', 'Left / capacity'),
  tab('create-event', 'events', 'Venue selection is required', hurry('Create Event')),
  tab('edit-event', 'events', 'Active: people can find and book it', pressFirst(/^Edit /)),
  tab('delete-event', 'events', /is paid back\.$/, pressFirst(/^Delete /)),
  tab('refunds', 'refunds', /^Showing 1 to 10 of \d+ refunds$/),
  tab(
    'deny-refund',
    'refunds&status=denied',
    'The customer reads this, on the site and by email.',
    pressFirst(/^Deny refund/),
  ),
  tab('bookings', 'bookings', /^Showing 1 to 25 of \d,\d{3} bookings$/),
  tab('edit-booking', 'bookings&status=confirmed', /back on sale and mails the customer/, async (page) => {
    await button(page, /^Edit booking/)
      .first()
      .click();
    await page.getByRole('dialog').getByLabel('Status').selectOption('cancelled');
  }),
  tab('cities', 'cities', /^Showing 1 to 10 of \d+ cities$/),
  tab('add-city', 'cities', 'City name is required', hurry('Add City')),
  tab('categories', 'categories', /^Showing 1 to \d+ of \d+ categories$/),
  tab('edit-category', 'categories', 'Please provide both name and emoji for the category', async (page) => {
    await button(page, 'Edit Concerts').click();
    await page.getByLabel('Emoji').fill('');
    await button(page.getByRole('dialog'), 'Save').click();
  }),
  tab('users', 'users', /^Showing 1 to \d+ of \d+ users$/),
  tab('edit-user', 'users&role=staff', 'Active: they can sign in', pressFirst(/^Edit /)),
  tab('hard-delete-user', 'users&role=staff', 'Type CONFIRM DELETE to go on', async (page) => {
    await button(page, /^Hard delete /)
      .first()
      .click();
    await button(page.getByRole('dialog'), 'Delete for good').click();
    await shows(page.getByText("Must type 'CONFIRM DELETE' exactly to proceed")).toBeVisible();
  }),
  // Other specs subscribe on the same site.
  tab('newsletter', 'newsletter', /^(No subscribers yet|Showing 1 to \d+ of \d+ subscribers)$/),
  tab('sponsors', 'sponsors', 'No sponsors yet'),
  tab('sponsors-shown', 'sponsors', 'Our sponsors', showSponsors),
  tab('add-sponsor', 'sponsors', 'Logo is required', hurry('Add Sponsor')),
  tab('venues', 'venues', /^Showing 1 to \d+ of \d+ venues$/),
  tab('add-venue', 'venues', 'City is required', hurry('Add Venue')),
  tab('promotions', 'promotions', /^Showing 1 to \d+ of \d+ promotions$/),
  tab('create-promotion', 'promotions', 'Please fill in promotion name and code', hurry('Create Promotion')),
  tab(
    'city-in-use',
    'cities',
    'London',
    [status(409, '/api/admin/cities/')],
    saying('Failed to delete city', hurry('Delete London', 'Delete')),
  ),
];

const all: Readonly<Record<Who, Views>> = { visitor, customer, staff, superuser, newcomer, unverified };

export const views: readonly View[] = (Object.keys(all) as Who[]).flatMap((who) =>
  all[who].map((view) => ({ ...view, who })),
);
