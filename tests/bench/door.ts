/** Scans a second at the door, and the slowest of a hundred, against a bare locked update of the ticket's row. */
import { prepareSale } from '#tests/kit/prepared-sale.ts';
import { sellTickets } from '#tests/kit/sold-tickets.ts';
import { type Row, row } from './row.ts';
import type { Stage } from './stage.ts';
import { load, request, session, type Wire } from './wire.ts';

const GATES = 16;
const DURATION = 5_000;
const TICKETS = 20_000;

export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  const sale = await prepareSale(foundation, { capacity: TICKETS, buyers: 1 });
  const tokens = await sellTickets(foundation, sale, TICKETS);
  const headers = session(sale.staff.token);

  const scans = async (part: string, path: string, bodies: readonly object[]) => {
    const left = bodies.values();
    const player = await stage.play(part, url);
    const result = await load(player.port, GATES, DURATION, async (wire: Wire) => {
      const { value, done } = left.next();
      if (done) return false;
      const { status, body } = await wire.ask(request('POST', path, headers, value));
      if (status !== 200 || !body.includes('"valid":true'))
        throw new Error(`scan: ${status} ${body.toString().slice(0, 300)}`);
      return true;
    });
    await player.stop();
    return result;
  };

  const rows = Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1 }));
  const bare = await scans('bare-door', '/bare/scan', rows);
  const codes = tokens.map((encryptedData) => ({ encryptedData }));
  const ours = await scans('command-api', '/api/tickets/scan', codes);
  return [
    row('door: scans, bare locked update', bare.rate, '/s'),
    row('door: scans, Reprise', ours.rate, '/s'),
    row('door: ratio', ours.rate / bare.rate, '×'),
    row('door: p99, bare locked update', bare.p99, 'ms'),
    row('door: p99, Reprise', ours.p99, 'ms'),
  ];
};
