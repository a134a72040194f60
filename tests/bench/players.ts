/** What a benchmark starts as a process: parts of the product as their own `main.ts` put them together, and bare baselines. */
import { openCommandService } from '#command-api/service.ts';
import { readConfig } from '#infra/config.ts';
import { layFoundation } from '#infra/foundation.ts';
import { createServer } from '#infra/http/server.ts';
import { runService } from '#infra/process.ts';
import { openProjectorService } from '#projector/service.ts';
import { openQueryService } from '#query-api/service.ts';
import { memoryGateway } from '#tests/kit/memory-gateway.ts';
import { bareBooking, bareBytes, bareDoor } from './bare.ts';

const [part = ''] = process.argv.slice(2);
const config = readConfig();
const foundation = await layFoundation({
  name: part,
  config,
  databaseUrl: config.databaseUrl ?? '',
  connections: 20,
});
const { sessions, limits, log, logger, database } = foundation;
const app = await createServer({ config, sessions, limits, logId: log.id, logger });
const endings: (() => Promise<void>)[] = [];

/** Pays whatever is asked for, at once, in memory: the provider is not what is measured. */
const instantGateway = () => {
  const gateway = memoryGateway({ autoPay: true });
  return {
    ...gateway,
    createIntent: async (order: Parameters<typeof gateway.createIntent>[0]) => ({
      ...(await gateway.createIntent(order)),
      status: 'open' as const,
    }),
  };
};

const parts: Readonly<Record<string, () => Promise<void>>> = {
  async 'command-api'() {
    const service = await openCommandService(foundation, { origin: () => '', gateway: instantGateway() });
    await service.install(app);
    endings.push(() => service.stop());
  },
  async projector() {
    const service = await openProjectorService(foundation);
    endings.push(() => service.stop());
  },
  async 'query-api'() {
    const service = await openQueryService(foundation);
    await service.install(app);
    endings.push(() => service.stop());
  },
  'bare-booking': () => bareBooking(app, database.pool),
  'bare-door': () => bareDoor(app, database.pool),
  'bare-bytes': async () => bareBytes(app, Number(process.env.BYTES ?? 0)),
};

const make = parts[part];
if (!make) throw new Error(`no part ${part}`);
await make();
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(`listening ${typeof address === 'object' && address ? address.port : 0}`);
await runService(async ({ onEnd }) => {
  onEnd(() => foundation.close());
  for (const ending of endings) onEnd(ending);
  onEnd(() => app.close());
});
