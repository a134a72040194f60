import { expect, it } from 'vitest';
import { reinstateBooking } from '#command-api/purchase/reinstate.ts';
import { account } from '#domain/account/account.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import type { TicketPrinter } from '#infra/tickets/printer.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { LISTING, openWorld } from '#tests/kit/world.ts';
import { createComposer } from './compose.ts';

it('promises no refund to somebody whose booking was made good before the mail went out', async () => {
  const world = await openWorld(2);
  const process = world.process();
  const named = { firstName: 'Ann', lastName: null, profileImageUrl: null };
  const ann = { accountId: 'ann', email: 'ann@example.com', ...named } as const;
  const how = { via: 'password', role: 'user', verified: true } as const;
  await process.acting().do(account, 'ann', { type: 'Register', ...ann, ...how });
  const id = await world.dawdle(process);
  await world.buy(process, 'bob');
  world.gateway.setIntent(id, 'succeeded');
  world.gateway.refundsBecome('failed');
  await world.reconcile(process);
  await world.work(process);
  const mail = [...world.mails.values()].find(({ kind }) => kind === 'booking-unfilled');
  // This mail brings no ticket.
  const signer = {} as TicketSigner;
  const printer = {} as TicketPrinter;
  const site = { clock: world.clock, baseUrl: 'https://reprise.example', from: 'help@reprise.example' };
  const compose = createComposer({ lane: process.lane, signer, printer, ...site });
  const sent = async () => mail && (await compose(mail))?.text;
  expect(await sent()).toContain('refunded');
  await process.acting().do(inventory, LISTING, { type: 'ChangeCapacity', capacity: 4 });
  expect(await reinstateBooking(process.purchases, 101, process.acting())).toBe('done');
  expect(await sent()).toBeUndefined();
});
