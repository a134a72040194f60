import { expect, it } from 'vitest';
import { cancelBooking } from '#command-api/purchase/cancel.ts';
import { reinstateBooking } from '#command-api/purchase/reinstate.ts';
import { account } from '#domain/account/account.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import type { TicketPrinter } from '#infra/tickets/printer.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { LISTING, openWorld, type Process, type World } from '#tests/kit/world.ts';
import { createComposer } from './compose.ts';

// These mails bring no ticket.
const makers = { signer: {} as TicketSigner, printer: {} as TicketPrinter };
const site = { baseUrl: 'https://reprise.example', from: 'help@reprise.example' };

const register = async (process: Process): Promise<void> => {
  const named = { firstName: 'Ann', lastName: null, profileImageUrl: null };
  const ann = { accountId: 'ann', email: 'ann@example.com', ...named } as const;
  const how = { via: 'password', role: 'user', verified: true } as const;
  await process.acting().do(account, 'ann', { type: 'Register', ...ann, ...how });
};

/** The mail of a kind that waits to be sent. */
const waiting = (world: World, kind: string) => [...world.mails.values()].find((mail) => mail.kind === kind);

it('promises no refund to somebody whose booking was made good before the mail went out', async () => {
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
  const compose = createComposer({ lane: process.lane, clock: world.clock, ...makers, ...site });
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
  const compose = createComposer({ lane: process.lane, clock, ...makers, ...site });
  return mail && compose(mail);
};

it('names the year of a date that is not in this one', async () => {
  expect((await toldOfCancellation('admin'))?.text).toContain('When: Wed 1 Apr, 7:30 pm');
  const lastYear = await toldOfCancellation('admin', '2025-12-20T12:00:00.000Z');
  expect(lastYear?.text).toContain('When: Wed 1 Apr 2026, 7:30 pm');
});

it('says that the event is called off where that is why a booking was cancelled', async () => {
  const calledOff = /is called off/;
  const sent = await toldOfCancellation('listing-archived');
  expect(sent?.text).toMatch(calledOff);
  expect(sent?.html).toMatch(calledOff);
  expect(sent?.subject).toMatch(/^Called off: The Long Night/);
  const other = await toldOfCancellation('admin');
  expect(`${other?.subject} ${other?.text} ${other?.html}`).not.toMatch(/called off/i);
});
