/**
 * The hot sale: everybody buys one ticket of the same listing, in two HTTP calls on 64 connections, signed in. Against
 * Fastify handlers with the same checks and a locked row, on the same PostgreSQL.
 */

import { signedIn } from '#tests/kit/http.ts';
import { prepareSale, type Sale } from '#tests/kit/prepared-sale.ts';
import type { Row } from './row.ts';
import { projected, type Stage } from './stage.ts';
import { type Load, load, request, type Wire } from './wire.ts';

export const CONNECTIONS = 64;
const PRICE = '28.50';

/** One buyer after the other buys one ticket: the intent, then the booking. False when all have. */
export const buying = (sale: Sale, check: (status: number, step: string, body: Buffer) => void) => {
  let next = 0;
  return async (wire: Wire): Promise<boolean> => {
    const buyer = sale.buyers[next++];
    if (!buyer) return false;
    const headers = Object.entries(signedIn(buyer.token)).map(([name, value]) => `${name}: ${value}`);
    const order = { eventId: sale.listingId, quantity: 1 };
    const intent = await wire.ask(
      request('POST', '/api/create-payment-intent', headers, { ...order, amount: PRICE }),
    );
    check(intent.status, 'intent', intent.body);
    const booked = await wire.ask(
      request('POST', '/api/bookings', headers, { ...order, totalAmount: PRICE }),
    );
    check(booked.status, 'booking', booked.body);
    return next < sale.buyers.length;
  };
};

const demandSuccess = (status: number, step: string, body: Buffer): void => {
  if (status >= 300) throw new Error(`${step}: ${status} ${body.toString().slice(0, 300)}`);
};

export const sell = (port: number, sale: Sale, milliseconds: number): Promise<Load> =>
  load(port, CONNECTIONS, milliseconds, buying(sale, demandSuccess));

export interface HotSaleOptions {
  /** Milliseconds a turn. Default 6,000. */
  readonly duration?: number;
  /** People with a session; nobody buys twice. Default 20,000. */
  readonly buyers?: number;
}

/** Runs both in turns, the baseline first and last, and counts the events of a purchase. */
export const run = async (
  stage: Stage,
  { duration = 6_000, buyers = 20_000 }: HotSaleOptions = {},
): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  const sale = await prepareSale(foundation, { capacity: 1_000_000, buyers });
  const share = Math.floor(buyers / 2);
  const part = (index: number): Sale => ({
    ...sale,
    buyers: sale.buyers.slice(index * share, (index + 1) * share),
  });

  const bareTurn = async (): Promise<Load> => {
    const bareUrl = await stage.freshDatabase();
    const other = await stage.foundation(bareUrl);
    const crowd = await prepareSale(other, { capacity: 1_000_000, buyers: share });
    await other.close();
    const player = await stage.play('bare-booking', bareUrl);
    const result = await sell(player.port, crowd, duration);
    await player.stop();
    return result;
  };
  const bare = [await bareTurn()];

  const projector = await stage.play('projector', url);
  // It has the sale to follow, not the making of its buyers.
  await projected(foundation);
  const api = await stage.play('command-api', url);
  const before = Number(await foundation.log.head());
  const ours = [await sell(api.port, part(0), duration), await sell(api.port, part(1), duration)];
  const events = Number(await foundation.log.head()) - before;
  const { rows } = await foundation.database.pool.query(
    `select count(*)::int as placed from log.event where type = 'BookingPlaced'`,
  );
  await api.stop();
  await projector.stop();
  await foundation.close();
  bare.push(await bareTurn());

  const mean = (loads: readonly Load[]): number =>
    loads.reduce((sum, one) => sum + one.rate, 0) / loads.length;
  return [
    { what: 'hot sale: purchases, bare locked row', figure: mean(bare), unit: '/s' },
    { what: 'hot sale: purchases, Reprise with projector', figure: mean(ours), unit: '/s' },
    { what: 'hot sale: ratio', figure: mean(ours) / mean(bare), unit: '×' },
    {
      what: 'hot sale: p99 of a purchase (two calls)',
      figure: Math.max(...ours.map(({ p99 }) => p99)),
      unit: 'ms',
    },
    { what: 'hot sale: events a purchase', figure: events / rows[0].placed, unit: '' },
  ];
};
