/** How long after a command's acknowledgement its effect is seen by a query: on a quiet site, and during the hot sale. */
import { setTimeout as pause } from 'node:timers/promises';
import { headers as names } from '#domain/contracts/envelope.ts';
import { prepareSale, type Sale } from '#tests/kit/prepared-sale.ts';
import { buy, sell } from './hot-sale.ts';
import { type Row, row } from './row.ts';
import { projected, type Stage } from './stage.ts';
import { quantile, request, session, Wire } from './wire.ts';

const PROBES = 60;

/** Buys one ticket after the other and asks for one's bookings until the new one is there; milliseconds from the answer on. */
const probe = async (
  commandPort: number,
  queryPort: number,
  sale: Sale,
  until: () => boolean,
): Promise<number[]> => {
  const commands = await Wire.open(commandPort);
  const queries = await Wire.open(queryPort);
  const times: number[] = [];
  for (const buyer of sale.buyers) {
    if (until()) break;
    const booked = await buy(commands, sale, buyer);
    const answered = performance.now();
    const token = new RegExp(`${names.position}: (\\S+)`, 'i').exec(booked.head)?.[1];
    const headers = [...session(buyer.token), `${names.minPosition}: ${token}`];
    const question = request('GET', '/api/bookings', headers);
    // As the client does: each question waits 2 s for what it has to show.
    const isShown = async (): Promise<boolean> =>
      JSON.parse((await queries.ask(question)).body.toString()).length === 1;
    if (!((await isShown()) || (await isShown()) || (await isShown())))
      throw new Error('the booking was not seen within 6 s');
    times.push(performance.now() - answered);
    await pause(10);
  }
  commands.close();
  queries.close();
  return times.sort((a, b) => a - b);
};

export const run = async (
  stage: Stage,
  { duration = 5_000, buyers = 12_000 } = {},
): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  const sale = await prepareSale(foundation, { capacity: 1_000_000, buyers: buyers + 2 * PROBES });
  await stage.play('projector', url);
  await projected(foundation);
  const commands = await stage.play('command-api', url);
  const queries = await stage.play('query-api', url);
  const some = (from: number, to: number): Sale => ({ ...sale, buyers: sale.buyers.slice(from, to) });

  const idle = await probe(commands.port, queries.port, some(0, PROBES), () => false);
  let over = false;
  const selling = sell(commands.port, some(2 * PROBES, sale.buyers.length), duration).finally(() => {
    over = true;
  });
  await pause(duration / 5);
  const busy = await probe(commands.port, queries.port, some(PROBES, 2 * PROBES), () => over);
  await selling;
  await stage.clear();
  return [
    row('visible after the answer, idle: p50', quantile(idle, 0.5), 'ms'),
    row('visible after the answer, idle: p99', quantile(idle, 0.99), 'ms'),
    row('visible after the answer, hot sale: p50', quantile(busy, 0.5), 'ms'),
    row('visible after the answer, hot sale: p99', quantile(busy, 0.99), 'ms'),
  ];
};
