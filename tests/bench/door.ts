/** Scans a second at the door, and the slowest of a hundred, against a bare locked update of the ticket's row. */
import { randomUUID } from 'node:crypto';
import { TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import { REFUND_POLICY } from '#domain/policy.ts';
import type { NewEvent } from '#infra/event-log/event-log.ts';
import { signedIn } from '#tests/kit/http.ts';
import { prepareSale } from '#tests/kit/prepared-sale.ts';
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
  const { log, codec, signer } = foundation;
  const sale = await prepareSale(foundation, { capacity: tickets, buyers: 1 });
  const [buyer] = sale.buyers;
  if (!buyer) throw new Error('nobody bought');
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  let waiting: { stream: string; expected: 'none'; events: NewEvent[] }[] = [];
  const tokens: string[] = [];
  for (let bookingId = 1; bookingId <= tickets; bookingId++) {
    const context = {
      commandId: randomUUID(),
      actor: { kind: 'system', id: 'bench' },
      at: new Date().toISOString(),
      correlationId: randomUUID(),
    } as const;
    const quote = {
      unitPrice: 2_850,
      quantity: 1,
      discount: 0,
      total: 2_850,
      currency: 'gbp',
      promotion: null,
    } as const;
    const data = {
      bookingId,
      reference: `BK${String(bookingId).padStart(8, '0')}`,
      userId: buyer.id,
      listingId: sale.listingId,
      attempt: randomUUID(),
      quote,
      intentId: 'pi_bench',
      policy: REFUND_POLICY,
      startsAt,
    };
    const stream = `booking-${bookingId}`;
    const meta = await codec.encodeMeta(context);
    const event = await codec.encode({ type: 'BookingPlaced', data }, randomUUID(), stream, context, meta);
    waiting.push({ stream, expected: 'none', events: [event] });
    if (waiting.length === 500) {
      await log.append(waiting);
      waiting = [];
    }
    const expiresAt = Math.floor((Date.parse(startsAt) + TICKET_LIFETIME_AFTER_START) / 1_000);
    tokens.push(
      signer.sign({ bookingId, page: 1, listingId: sale.listingId, quantity: 1, epoch: 1, expiresAt }),
    );
  }
  if (waiting.length > 0) await log.append(waiting);
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
