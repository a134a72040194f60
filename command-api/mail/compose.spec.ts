import { expect, it } from 'vitest';
import { account } from '#domain/account/account.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { HOLD_FOR } from '#domain/policy.ts';
import type { TicketPrinter } from '#infra/tickets/printer.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { LISTING, World } from '#tests/kit/world.ts';
import { createComposer } from './compose.ts';

it('promises no refund to somebody whose booking was made good before the mail went out', async () => {
  const world = new World();
  await world.open(2);
  const process = world.process();
  const named = { firstName: 'Ann', lastName: null, profileImageUrl: null };
  const ann = { accountId: 'ann', email: 'ann@example.com', ...named } as const;
  const how = { via: 'password', role: 'user', verified: true } as const;
  await process.acting().do(account, 'ann', { type: 'Register', ...ann, ...how });
  await world.buy(process, 'ann', { pays: false });
  const [intent] = world.gateway.intents.values();
  const id = intent?.id ?? '';
  world.gateway.setIntent(id, 'processing');
  await world.work(process, world.clock().getTime() + HOLD_FOR + 700_000);
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
  expect(await process.purchases.reinstate(101, process.acting())).toBe('done');
  expect(await sent()).toBeUndefined();
});
