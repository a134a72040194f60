/** Scans a second at the door, and the slowest of a hundred, against a bare locked update of the ticket's row. */
import { signedIn } from '#tests/kit/http.ts';
import { prepareSale } from '#tests/kit/prepared-sale.ts';
import { sellTickets } from '#tests/kit/sold-tickets.ts';
import type { Row } from './row.ts';
import type { Stage } from './stage.ts';
import { load, request, type Wire } from './wire.ts';

const GATES = 16;

/** Every scan is of a ticket of its own. */
export const run = async (
  stage: Stage,
  { duration = 5_000, tickets = 20_000 } = {},
): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  const sale = await prepareSale(foundation, { capacity: tickets, buyers: 1 });
  const tokens = await sellTickets(foundation, sale, tickets);
  const headers = Object.entries(signedIn(sale.staff.token)).map(([name, value]) => `${name}: ${value}`);

  const scanning = (path: string, body: (index: number) => object, count: number) => {
    let next = 0;
    return async (wire: Wire): Promise<boolean> => {
      const index = next++;
      if (index >= count) return false;
      const answer = await wire.ask(request('POST', path, headers, body(index)));
      if (answer.status !== 200 || !answer.body.includes('"valid":true')) {
        throw new Error(`scan: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
      }
      return true;
    };
  };

  const bare = await stage.play('bare-door', url);
  const bareLoad = await load(
    bare.port,
    GATES,
    duration,
    scanning('/bare/scan', (index) => ({ id: index + 1 }), 100_000),
  );
  await bare.stop();
  const api = await stage.play('command-api', url);
  const ours = await load(
    api.port,
    GATES,
    duration,
    scanning('/api/tickets/scan', (index) => ({ encryptedData: tokens[index] ?? '' }), tokens.length),
  );
  await api.stop();
  await foundation.close();
  return [
    { what: 'door: scans, bare locked update', figure: bareLoad.rate, unit: '/s' },
    { what: 'door: scans, Reprise', figure: ours.rate, unit: '/s' },
    { what: 'door: ratio', figure: ours.rate / bareLoad.rate, unit: '×' },
    { what: 'door: p99, bare locked update', figure: bareLoad.p99, unit: 'ms' },
    { what: 'door: p99, Reprise', figure: ours.p99, unit: 'ms' },
  ];
};
