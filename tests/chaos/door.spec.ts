/** One ticket at fifty gates at once, two hundred times, through two command sides with a cache each. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemContext } from '#command-api/commands/command-handler.ts';
import { type CommandService, openCommandService } from '#command-api/service.ts';
import { booking } from '#domain/booking/booking.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import { readConfig } from '#infra/config/config.ts';
import { type Foundation, layFoundation } from '#infra/foundation/foundation.ts';
import { type App, createServer } from '#infra/http/server.ts';
import { systemClock } from '#infra/lib/clock.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { PRICE, prepareSale, type Sale } from '#tests/kit/prepared-sale.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { scanInCrowds } from './door.ts';

const TICKETS = 200;
const GATES = 50;

let databaseUrl: string;
let dataDir: string;
const sides: { foundation: Foundation; service: CommandService; app: App; origin: string }[] = [];
let sale: Sale;

const lay = (): Promise<Foundation> => {
  const config = readConfig({ DATA_DIR: dataDir, RATE_LIMITS: 'off', DEMO: 'off' });
  return layFoundation({ name: 'spec', config, databaseUrl, logger: silentLogger() });
};

beforeAll(async () => {
  databaseUrl = await freshDatabase('tables');
  dataDir = await freshFolder();
  for (let nth = 0; nth < 2; nth++) {
    const foundation = await lay();
    const { config, sessions, limits, log, logger } = foundation;
    const service = await openCommandService(foundation, { origin: () => 'http://127.0.0.1:1' });
    const app = await createServer({ config, sessions, limits, logId: log.id, logger });
    await service.install(app);
    sides.push({ foundation, service, app, origin: await app.listen({ host: '127.0.0.1', port: 0 }) });
  }
  const [first] = sides;
  if (!first) throw new Error('no command side');
  sale = await prepareSale(first.foundation, { capacity: TICKETS, buyers: 1 });
  const { listingId } = sale;
  const userId = sale.buyers[0]?.id ?? '';
  const quote = {
    unitPrice: PRICE,
    quantity: 1,
    discount: 0,
    total: PRICE,
    currency: 'gbp',
    promotion: null,
  } as const;
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  await Promise.all(
    Array.from({ length: TICKETS }, async (_, index) => {
      const facts = {
        bookingId: index + 1,
        reference: `BKTEST${index}`,
        userId,
        listingId,
        attempt: randomUUID(),
        quote,
      };
      const command = {
        type: 'PlaceBooking',
        ...facts,
        intentId: 'pi_1',
        policy: REFUND_POLICY,
        startsAt,
      } as const;
      await first.service.deps.handler.as(systemContext(systemClock)).do(booking, index + 1, command);
    }),
  );
});
afterAll(async () => {
  for (const { app, service, foundation } of sides) {
    await app.close();
    await service.stop();
    await foundation.close();
  }
});

it('the door admits each ticket once during process kills', { timeout: 600_000 }, async () => {
  const commands = sides.map(({ origin }) => origin);
  expect(await scanInCrowds({ commands, foundation: lay }, sale, { tickets: TICKETS, gates: GATES })).toEqual(
    [],
  );
  const { rows } = (await sides[0]?.foundation.database.pool.query(
    `select count(*)::int as admitted from log.event where stream like 'admission-%' and type = 'Admitted'`,
  )) ?? { rows: [] };
  expect(rows).toEqual([{ admitted: TICKETS }]);
});
