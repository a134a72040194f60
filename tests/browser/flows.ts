/** What people do on the site that must hold on any connection: to be walked by `tests/kit/bad-connection.ts`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test';
import { expect } from 'vitest';
import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import type { Call } from '#domain/contracts/call.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { type PaymentIntent, paymentCalls } from '#domain/contracts/payments.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { HOME_ZONE } from '#domain/kernel/zone.ts';
import type { BreakableCall, Claim, Flow, Walker } from '#tests/kit/bad-connection.ts';
import { leave, visit } from '#tests/kit/browser.ts';
import { CARDS, paymentForm, paymentPath } from '#tests/kit/card.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { readPicture } from '#tests/kit/read-picture.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { checkEvent, formOf } from '#web/features/events/edit/event-form.ts';
import { cardOf } from './camera.ts';
import { change, enter, newCustomer } from './people.ts';
import { button, typeCard } from './steps.ts';

type Site = Pick<StartedSite, 'origin' | 'dataDir'>;
/** The browser is started after the flows are declared. */
type Browse = () => Browser;
const EVENT = 44;
const PASSWORD = 'umbrella weather';

const breakables = (calls: Readonly<Record<string, Call>>): Readonly<Record<string, BreakableCall>> =>
  Object.fromEntries(
    Object.entries(calls).map(([name, { method, path }]) => [
      name,
      { method, path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) },
    ]),
  );

/** Words that say that nothing was done, whatever it was. */
const NOTHING_DONE = /[Nn]othing was (sent|charged)|was not sent|has no payment|Nothing of it has been saved/;

let customers = 0;

/** A phone of a new customer, who may buy. */
export const customer = async (browser: Browser, site: Site) => {
  const { page } = await visit(browser, site.origin, { width: 390, height: 844 });
  customers += 1;
  const who = { email: `bad.line.${process.pid}.${customers}@example.test`, password: PASSWORD };
  await newCustomer(page, site, { firstName: 'Bea', lastName: 'Line', ...who });
  return { page, ...who };
};

const get = async <Answer>(request: APIRequestContext, path: string): Promise<Answer> => {
  const reply = await request.get(path);
  if (!reply.ok()) throw new Error(`${path} answered ${reply.status()}`);
  return reply.json();
};

interface Booked {
  readonly id: number;
  readonly status: string;
  readonly refundStatus: string | null;
}
const bookingsOf = (page: Page) => get<readonly Booked[]>(page.context().request, bookingCalls.list.path);

/** Gives the flows' event more places than all of them together can take. */
export const makeRoom = async (browser: Browser, { origin }: Site): Promise<void> => {
  const { page } = await visit(browser, origin);
  await enter(page, 'superuser@reprise.test');
  const { request } = page.context();
  const { title } = await get<{ title: string }>(request, `/api/events/${EVENT}`);
  const path = `${adminEventCalls.list.path}?search=${encodeURIComponent(title)}`;
  const found = await get<readonly AdminEvent[]>(request, path);
  const event = found.find(({ id }) => id === EVENT);
  if (!event) throw new Error(`the flows' event ${EVENT} is not there`);
  const form = { ...formOf(event), capacity: '5000' };
  const checked = checkEvent(form, HOME_ZONE, Date.now(), event);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  await change(page, 'PUT', `/api/admin/events/${EVENT}`, checked.value);
  await leave(page);
};

export const bought = async (page: Page, quantity: number, eventId = EVENT): Promise<number> => {
  const { request } = page.context();
  const { price } = await get<{ price: string }>(request, `/api/events/${eventId}`);
  const amount = (Number(price) * quantity).toFixed(2);
  const wanted = { eventId, quantity, amount };
  const intent = await change<PaymentIntent>(page, 'POST', paymentCalls.createIntent.path, wanted);
  const { publishableKey } = await get<{ publishableKey: string }>(request, siteCalls.payments.path);
  const form = Object.fromEntries(paymentForm(publishableKey, intent, CARDS.pays));
  await request.post(paymentPath(intent), { form });
  const order = { eventId, quantity, totalAmount: amount };
  return (await change<Booked>(page, 'POST', bookingCalls.create.path, order)).id;
};

const claim = (words: RegExp, isTrue: Claim['isTrue']): Claim => ({ words, isTrue });

/** What a page may say only of something that was, or was not, done. */
const claimsOf = (done: RegExp, isDone: () => Promise<boolean>): readonly Claim[] => [
  claim(done, isDone),
  claim(NOTHING_DONE, async () => !(await isDone())),
];

const tryAgain = (page: Page): readonly { offer: Locator }[] =>
  ['Try again', 'Reload Page', 'Hold them again'].map((name) => ({ offer: button(page, name) }));

/** A stranger to the event buys one ticket, and wants no other. */
export const purchase = (browser: Browse, site: () => Site): Flow => ({
  name: 'the purchase',
  calls: {
    ...breakables({ user: authCalls.user, event: catalogueCalls.event, config: siteCalls.payments }),
    ...breakables({
      hold: paymentCalls.createIntent,
      book: bookingCalls.create,
      bookings: bookingCalls.list,
    }),
    pay: { method: 'POST', path: /\/confirm$/ },
  },
  async begin(): Promise<Walker> {
    const { page } = await customer(browser(), site());
    let charges = 0;
    const pay = async (): Promise<void> => {
      if ((await page.getByLabel('Card number').inputValue()) === '') await typeCard(page, CARDS.pays);
      await button(page, /^Pay £/)
        .last()
        .click();
    };
    return {
      page,
      path: `/booking/${EVENT}`,
      moves: [
        ...tryAgain(page),
        { offer: page.getByRole('link', { name: 'See my tickets' }) },
        { offer: button(page, /^Go on at/) },
        { offer: button(page, /^Pay £/).last(), act: pay, yes: true },
      ],
      claims: [
        claim(/You’re going!/, async () => (await bookingsOf(page)).length === 1),
        claim(/payment went through/, () => charges > 0),
        claim(NOTHING_DONE, () => charges === 0),
      ],
      isDone: () =>
        page
          .getByRole('article', { name: /^Booking BK/ })
          .first()
          .isVisible(),
      heard(path, status) {
        if (path.endsWith('/confirm') && status === 200) charges += 1;
      },
      async judge() {
        expect(charges).toBe(1);
        expect(await bookingsOf(page)).toMatchObject([{ status: 'confirmed' }]);
      },
    };
  },
});

export const cancellation = (browser: Browse, site: () => Site): Flow => ({
  name: 'the cancellation',
  calls: breakables({
    bookings: bookingCalls.list,
    quote: bookingCalls.cancellation,
    cancel: bookingCalls.cancel,
  }),
  async begin() {
    const { page } = await customer(browser(), site());
    await bought(page, 1);
    const isCancelled = async () => (await bookingsOf(page))[0]?.status !== 'confirmed';
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
    const send = dialog.getByRole('button', { name: /^(Cancel this booking|Ask again)$/ });
    const keep = button(dialog, 'Keep my booking').and(page.locator(':enabled'));
    const submit = async (): Promise<void> => {
      await dialog.getByLabel('Why are you cancelling?').fill('My sister is getting married.');
      await send.click();
    };
    return {
      page,
      path: '/profile',
      moves: [
        { offer: send, act: submit, yes: true },
        {
          offer: dialog
            .filter({ hasText: 'Close this and try again' })
            .getByRole('button', { name: 'Close' }),
        },
        ...tryAgain(page),
        { offer: button(page, 'Cancel booking') },
      ],
      claims: [
        ...claimsOf(/Booking cancelled/, isCancelled),
        claim(/Keep my booking/, async () => !(await keep.isVisible()) || !(await isCancelled())),
      ],
      isDone: () => page.getByRole('tab', { name: 'Cancelled (1)' }).isVisible(),
      async judge() {
        const [booking, ...more] = await bookingsOf(page);
        expect(more).toEqual([]);
        expect(booking?.status).not.toBe('confirmed');
        expect(booking?.refundStatus).not.toBeNull();
      },
    };
  },
});

export const deletion = (browser: Browse, site: () => Site): Flow => ({
  name: 'the deletion of an account',
  calls: breakables({ quote: profileCalls.deletionQuote, delete: profileCalls.delete }),
  async begin() {
    const { page, email } = await customer(browser(), site());
    const { page: stranger } = await visit(browser(), site().origin);
    const isGone = async (): Promise<boolean> => {
      const error = await enter(stranger, email, PASSWORD).then(
        () => undefined,
        (caught: unknown) => caught,
      );
      if (error && !String(error).includes('answered 401')) throw error;
      return error !== undefined;
    };
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    const send = dialog.getByRole('button', { name: /^(Delete my account|Ask again)$/ });
    const prepare = async (): Promise<void> => {
      await dialog.getByLabel('Your password').fill(PASSWORD);
      await dialog.getByLabel('I understand that this can’t be undone').check();
    };
    return {
      page,
      path: '/profile',
      moves: [
        { offer: send, yes: true },
        { offer: button(dialog, 'Try again') },
        { offer: dialog.getByRole('checkbox', { checked: false }), act: prepare },
        ...tryAgain(page),
        { offer: button(page, 'Delete Account') },
      ],
      claims: [
        ...claimsOf(/Your account is deleted/, isGone),
        claim(/Failed to delete/, async () => !(await isGone())),
      ],
      isDone: () => page.getByRole('heading', { name: 'Your account is deleted' }).isVisible(),
      async judge() {
        expect(await isGone()).toBe(true);
        await leave(stranger);
      },
    };
  },
});

/** The codes of a party's tickets, each of which admits one person, and how many were admitted. */
export const party = async (browser: Browser, site: Site, size: number) => {
  const { page } = await customer(browser, site);
  const id = await bought(page, size);
  const path = ticketCalls.download.path.replace('{id}', String(id));
  let ticket: Buffer = Buffer.alloc(0);
  // The tickets can be had once the read models have the booking.
  await eventually(async () => {
    const reply = await page.context().request.get(path);
    expect(reply.status()).toBe(200);
    ticket = await reply.body();
  });
  return {
    /** A code that admits one person. @param person counted from 1 */
    async code(person: number): Promise<string> {
      // Several specs share a party, and a folder lasts no longer than the spec that asks for it.
      const pdf = join(await freshFolder(), 'ticket.pdf');
      await writeFile(pdf, ticket);
      const { text } = await readPicture(await cardOf(pdf, person + 1));
      if (!text) throw new Error(`the ticket of person ${person} has no code that can be read`);
      return text;
    },
    async admitted(): Promise<number> {
      const path = bookingCalls.history.path.replace('{id}', String(id));
      const history = await get<readonly { kind: string }[]>(page.context().request, path);
      return history.filter(({ kind }) => kind === 'scanned').length;
    },
  };
};

/** Door staff scan the code of somebody of a party. */
export const scan = (
  browser: Browse,
  site: () => Site,
  people: () => Promise<Awaited<ReturnType<typeof party>>>,
): Flow => {
  let person = 0;
  return {
    name: 'the scan',
    calls: breakables({ scan: ticketCalls.scan }),
    async begin() {
      const guests = await people();
      person += 1;
      const code = await guests.code(person);
      const before = await guests.admitted();
      const { page } = await visit(browser(), site().origin, { width: 390, height: 844 });
      await enter(page, 'staff@reprise.test');
      const byHand = page.getByLabel('Enter a code by hand');
      const isAdmitted = async () => (await guests.admitted()) > before;
      return {
        page,
        path: '/scanner',
        moves: [
          ...tryAgain(page),
          {
            offer: byHand,
            yes: true,
            async act() {
              await byHand.fill(code);
              await button(page, 'Scan').click();
              await page.getByText('Scanning...').first().waitFor({ state: 'hidden' });
            },
          },
        ],
        claims: [
          ...claimsOf(/Valid Ticket/, isAdmitted),
          claim(/Invalid Ticket|Already scanned/, () => false),
        ],
        isDone: () => page.getByRole('dialog', { name: 'Valid Ticket' }).isVisible(),
        async judge() {
          expect(await guests.admitted()).toBe(before + 1);
        },
      };
    },
  };
};

interface Refund {
  readonly id: number;
  readonly bookingReference: string;
  readonly status: string;
}

/** A superuser denies a refund; before that it is put back to review, if it was decided. */
export const decision = (browser: Browse, site: () => Site): Flow => ({
  name: 'the decision on a refund',
  calls: breakables({ list: refundCalls.list, decide: refundCalls.process }),
  async begin() {
    const { page } = await visit(browser(), site().origin);
    await enter(page, 'superuser@reprise.test');
    const refunds = (): Promise<readonly Refund[]> =>
      get(page.context().request, `${refundCalls.list.path}?processing=manual&sort=id&limit=500`);
    const chosen = (await refunds()).find(({ status }) => status !== 'completed');
    if (!chosen) throw new Error('the demo has no refund to decide');
    const { id, bookingReference } = chosen;
    if (chosen.status === 'denied')
      await change(page, 'POST', refundCalls.process.path.replace('{id}', String(id)), { approved: null });
    const isDenied = async () => (await refunds()).find((one) => one.id === id)?.status === 'denied';
    const dialog = page.getByRole('dialog', { name: 'Deny this refund?' });
    const send = button(dialog, 'Deny this refund');
    const submit = async (): Promise<void> => {
      await dialog.getByLabel('Why is it denied?').fill('Too late for that.');
      await send.click();
    };
    return {
      page,
      path: `/admin?tab=refunds&search=${bookingReference}`,
      moves: [
        { offer: send, act: submit, yes: true },
        ...tryAgain(page),
        { offer: button(page, /^Deny refund/).first() },
      ],
      claims: claimsOf(/Refund denied/, isDenied),
      isDone: async () =>
        !(await dialog.isVisible()) &&
        (await button(page, /^Reset refund/)
          .first()
          .isVisible()),
      async judge() {
        expect(await isDenied()).toBe(true);
      },
    };
  },
});
