import { expect, it } from 'vitest';
import { cancelBooking } from '#command-api/purchase/cancel.ts';
import { reinstateBooking } from '#command-api/purchase/reinstate.ts';
import { account } from '#domain/account/account.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { refund } from '#domain/refund/refund.ts';
import type { TicketPrinter } from '#infra/tickets/printer.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { LISTING, openWorld, type Process, type World } from '#tests/kit/world.ts';
import { createComposer } from './compose.ts';

const signer: Pick<TicketSigner, 'sign'> = { sign: () => 'token' };
const printer: Pick<TicketPrinter, 'print'> = { print: async () => Buffer.from('a ticket') };
const makers = { signer: signer as TicketSigner, printer: printer as TicketPrinter };
const site = { baseUrl: 'https://reprise.example', from: 'help@reprise.example' };

const register = async (process: Process): Promise<void> => {
  const named = { firstName: 'Ann', lastName: null, profileImageUrl: null };
  const ann = { accountId: 'ann', email: 'ann@example.com', ...named } as const;
  const how = { via: 'password', role: 'user', verified: true } as const;
  await process.acting().do(account, 'ann', { type: 'Register', ...ann, ...how });
};

/** The mail of a kind that waits to be sent. */
const waiting = (world: World, kind: string) => [...world.mails.values()].find((mail) => mail.kind === kind);

it('a cancellation’s mail promises no refund if the booking was reinstated before the mail is sent', async () => {
  const world = await openWorld(2);
  const process = world.process();
  await register(process);
  const id = await world.dawdle(process);
  await world.buy(process, 'bob');
  world.gateway.setIntent(id, 'succeeded');
  world.gateway.refundsBecome('failed');
  await world.reconcile(process);
  await world.work(process);
  const mail = waiting(world, 'booking-unfilled');
  const compose = createComposer({ handler: process.handler, clock: world.clock, ...makers, ...site });
  const sent = async () => mail && (await compose(mail))?.text;
  expect(await sent()).toContain('refunded');
  await process.acting().do(inventory, LISTING, { type: 'ChangeCapacity', capacity: 4 });
  expect(await reinstateBooking(process.purchases, 101, process.acting())).toBe('done');
  expect(await sent()).toBeUndefined();
});

/** Ann has booked for 1 April 2026, and `by` has cancelled it. Resolves to the mail's text, as it is sent at `now`. */
const toldOfCancellation = async (by: 'admin' | 'listing-archived', now?: string) => {
  const world = await openWorld();
  const process = world.process();
  await register(process);
  expect(await world.buy(process, 'ann')).toBe('booked');
  await cancelBooking(process.purchases, { bookingId: 101, by, reason: 'The roof leaks' }, process.acting());
  await world.react();
  const mail = waiting(world, 'booking-cancelled');
  const clock = now === undefined ? world.clock : () => new Date(now);
  const compose = createComposer({ handler: process.handler, clock, ...makers, ...site });
  return mail && compose(mail);
};

it('mails show the year of a date in another year', async () => {
  expect((await toldOfCancellation('admin'))?.text).toContain('When: Wed 1 Apr, 7:30 pm');
  const lastYear = await toldOfCancellation('admin', '2025-12-20T12:00:00.000Z');
  expect(lastYear?.text).toContain('When: Wed 1 Apr 2026, 7:30 pm');
});

it('a cancellation’s mail says that the event was called off if that is why the booking was cancelled', async () => {
  const calledOff = /is called off/;
  const sent = await toldOfCancellation('listing-archived');
  expect(sent?.text).toMatch(calledOff);
  expect(sent?.html).toMatch(calledOff);
  expect(sent?.subject).toMatch(/^Called off: The Long Night/);
  const other = await toldOfCancellation('admin');
  expect(`${other?.subject} ${other?.text} ${other?.html}`).not.toMatch(/called off/i);
});

it('a cancellation’s mail removes the event from the reader’s calendar', async () => {
  const entry = (await toldOfCancellation('listing-archived'))?.attachments?.map(({ filename, content }) => [
    filename,
    content.toString(),
  ]);
  expect(entry).toEqual([[`event-${LISTING}.ics`, expect.stringContaining('STATUS:CANCELLED')]]);
  expect((await toldOfCancellation('admin'))?.attachments).toBeUndefined();
});

it('no mail announces a denied refund if the booking was reinstated', async () => {
  const world = await openWorld();
  const process = world.process();
  await register(process);
  expect(await world.buy(process, 'ann')).toBe('booked');
  const asked = { bookingId: 101, by: 'admin', reason: 'The roof leaks' } as const;
  await cancelBooking(process.purchases, asked, process.acting());
  await process.acting().do(refund, 101, { type: 'Deny', reason: 'Not covered' });
  const compose = createComposer({ handler: process.handler, clock: world.clock, ...makers, ...site });
  const told = () =>
    compose({ kind: 'refund-denied', accountId: 'ann', data: { bookingId: 101 }, key: 'denied' });
  expect((await told())?.text).toContain('Not covered');
  expect(await reinstateBooking(process.purchases, 101, process.acting())).toBe('done');
  expect(await told()).toBeUndefined();
});

it('a mail about a moved event compares with the date that the customer booked, however often the event was moved', async () => {
  const world = await openWorld();
  const process = world.process();
  await register(process);
  expect(await world.buy(process, 'ann')).toBe('booked');
  const compose = createComposer({ handler: process.handler, clock: world.clock, ...makers, ...site });
  /** Moves it. Resolves to what Ann is told of it. */
  const movedTo = async (date: string) => {
    const { details } = (await process.handler.state(listing, LISTING)).state;
    if (!details) throw new Error('there is no listing');
    const start = { date, time: '19:30', zone: 'Europe/London' };
    const at = world.clock().toISOString();
    await process.acting().do(listing, LISTING, { type: 'EditListing', details, start, at });
    return compose({ kind: 'event-moved', accountId: 'ann', data: { bookingId: 101 }, key: date });
  };
  const booked = 'You booked it for Wed 1 Apr, 7:30 pm.';
  const moved = await movedTo('2026-04-02');
  expect(moved?.text).toContain('When: Thu 2 Apr, 7:30 pm');
  expect(moved?.text).toContain(booked);
  expect(moved?.html).toContain(booked);
  expect((await movedTo('2026-04-03'))?.text).toContain(booked);
  const back = await movedTo('2026-04-01');
  expect(back?.text).toContain('When: Wed 1 Apr, 7:30 pm');
  expect(back?.text).not.toContain('You booked it for');

  const at = world.clock().toISOString();
  await process.acting().do(listing, LISTING, { type: 'CorrectZone', zone: 'Europe/Rome', at });
  const corrected = await compose({
    kind: 'event-moved',
    accountId: 'ann',
    data: { bookingId: 101 },
    key: 'zone',
  });
  expect(corrected?.text).toContain('When: Wed 1 Apr, 7:30 pm');
  expect(corrected?.text).toContain('time zone');
  expect(corrected?.text).not.toMatch(/You booked it for|was changed/);
});
