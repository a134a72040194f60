/**
 * The hot sale: everybody buys one ticket of the same listing, in two HTTP calls on 64 connections, signed in. Against
 * Fastify handlers with the same checks and a locked row, on the same PostgreSQL.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { type Person, prepareSale, type Sale } from '#tests/kit/prepared-sale.ts';
import { type Row, row } from './row.ts';
import { spentBy, spentByFamily } from './spent.ts';
import { type Player, type Stage, settled } from './stage.ts';
import { type Answer, type Load, load, request, session, type Wire } from './wire.ts';

const CONNECTIONS = 64;
const PRICE = '28.50';

/** The intent, then the booking, whose answer it resolves to. */
export const buy = async (wire: Wire, { listingId }: Sale, { token }: Person): Promise<Answer> => {
  const headers = session(token);
  const post = async (path: string, order: object): Promise<Answer> => {
    const body = { eventId: listingId, quantity: 1, ...order };
    const answer = await wire.ask(request('POST', path, headers, body));
    if (answer.status < 300) return answer;
    throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
  };
  await post('/api/create-payment-intent', { amount: PRICE });
  return post('/api/bookings', { totalAmount: PRICE });
};

/** One buyer after the other buys one ticket, until all have or the time is over. */
export const sell = (port: number, sale: Sale, milliseconds: number): Promise<Load> => {
  const left = sale.buyers.values();
  return load(port, CONNECTIONS, milliseconds, async (wire) => {
    const { value: buyer, done } = left.next();
    if (!done) await buy(wire, sale, buyer);
    return !done;
  });
};

/** The products' processes of a sale, with all that they do. */
type House = Readonly<Record<'api' | 'projector', Player>> & { readonly foundation: Foundation };

/** The slowest of a hundred turns of the event loop since this was last asked, in milliseconds late. */
const loopDelay = async ({ port }: Player): Promise<number> => {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^reprise_nodejs_eventloop_lag_p99_seconds\S* (\S+)$/m.exec(metrics)?.[1]) * 1_000;
};

const count = async ({ database }: Foundation, sql: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${sql}`);
  return rows[0]?.count ?? 0;
};
const SENT = 'app.outbox where sent_at is not null';

/** How many events stand after a position, and how many bookings were placed with them. */
const eventsAfter = async ({ log }: Foundation, after: Position) => {
  let events = 0;
  let placed = 0;
  for await (const batch of log.readAll(after)) {
    events += batch.events.length;
    placed += batch.events.filter(({ type }) => type === 'BookingPlaced').length;
  }
  return { events, placed };
};

/** Sells until all have bought, and waits for the last mail: its rate during the sale and after it, and what a purchase costs. */
const mailed = async (stage: Stage, { foundation, api, projector }: House, sale: Sale): Promise<Row[]> => {
  const spent = () => ({
    api: spentBy(api.pid),
    projector: spentBy(projector.pid),
    postgres: spentByFamily(stage.postgres),
  });
  const before = spent();
  const began = performance.now();
  await sell(api.port, sale, 600_000);
  const sold = performance.now();
  const during = await count(foundation, SENT);
  while ((await count(foundation, SENT)) < sale.buyers.length) await pause(100);
  const over = performance.now();
  const after = spent();
  const each = (what: string, from: number, to: number): Row =>
    row(`hot sale: processor of a purchase and its mail, ${what}`, (to - from) / sale.buyers.length, 'ms');
  const all = ({ loop, others }: ReturnType<typeof spentBy>): number => loop + others;
  const many = sale.buyers.length.toLocaleString('en-GB');
  return [
    row('mails: during the sale', during / ((sold - began) / 1_000), '/s'),
    row('mails: after it', (sale.buyers.length - during) / ((over - sold) / 1_000), '/s'),
    row(`mails: the last of ${many} purchases, after their begin`, (over - began) / 1_000, 's'),
    each('command-api', before.api.loop, after.api.loop),
    each('its other threads', before.api.others, after.api.others),
    each('projector', all(before.projector), all(after.projector)),
    each('PostgreSQL', before.postgres, after.postgres),
  ];
};

/** `buyers`: people with a session, nobody buys twice; `mailed`: how many of them buy for the rows about mails. Runs both in turns, the baseline first and last, and counts the events of a purchase. */
export const run = async (
  stage: Stage,
  { duration = 6_000, buyers = 22_000, mailed: most = 2_000 } = {},
): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  const sale = await prepareSale(foundation, { capacity: 1_000_000, buyers });
  const share = Math.floor((buyers - most) / 2);
  const some = (from: number, to: number): Sale => ({ ...sale, buyers: sale.buyers.slice(from, to) });

  const bareTurn = async (): Promise<Load> => {
    const bareUrl = await stage.freshDatabase();
    const other = await stage.foundation(bareUrl, 'baseline');
    const crowd = await prepareSale(other, { capacity: 1_000_000, buyers: share });
    const player = await stage.play('bare-booking', bareUrl);
    const result = await sell(player.port, crowd, duration);
    await player.stop();
    return result;
  };
  const bare = [await bareTurn()];

  const projector = await stage.play('projector', url);
  // It has the sale to follow, not the making of its buyers: they registered long before.
  await settled(foundation);
  const mailServer = await stage.play('mail-server', url);
  const api = await stage.play('command-api', url, { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}` });
  const mails = await mailed(stage, { foundation, api, projector }, some(0, most));
  await loopDelay(api);
  const before = await foundation.log.head();
  const turn = async (from: number): Promise<Load & { readonly delay: number }> => {
    const sold = await sell(api.port, some(from, from + share), duration);
    return { ...sold, delay: await loopDelay(api) };
  };
  const ours = [await turn(most), await turn(most + share)];
  const { events, placed } = await eventsAfter(foundation, before);
  await stage.clear();
  bare.push(await bareTurn());

  const mean = (loads: readonly Load[]): number =>
    loads.reduce((sum, one) => sum + one.rate, 0) / loads.length;
  return [
    row('hot sale: purchases, bare locked row', mean(bare), '/s'),
    row('hot sale: purchases, Reprise with all its work', mean(ours), '/s'),
    row('hot sale: ratio', mean(ours) / mean(bare), '×'),
    row('hot sale: p99 of a purchase (two calls)', Math.max(...ours.map(({ p99 }) => p99)), 'ms'),
    row(
      'hot sale: p99 of the event loop’s delay in command-api',
      Math.max(...ours.map(({ delay }) => delay)),
      'ms',
    ),
    row('hot sale: events a purchase', events / placed),
    ...mails,
  ];
};
