/** What a benchmark starts as a process: the product's own, as their `main.ts` start them, and bare baselines. */
import { serveCommandApi } from '#command-api/serve.ts';
import { readConfig } from '#infra/config/config.ts';
import { type Foundation, layFoundation } from '#infra/foundation/foundation.ts';
import { type Life, runService } from '#infra/foundation/process.ts';
import { listenAt } from '#infra/http/listen.ts';
import { type App, createServer } from '#infra/http/server.ts';
import { serveProjector } from '#projector/serve.ts';
import { serveQueryApi } from '#query-api/serve.ts';
import { memoryGateway } from '#tests/kit/memory-gateway.ts';
import { startMailServer } from '#tests/upgrade/outside.ts';
import { bareBooking, bareBytes, bareDoor } from './bare.ts';

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

type Player = (foundation: Foundation, life: Life) => Promise<string>;

/** The product's processes: each does all that its `main.ts` does. A spec holds the two together. */
export const processes: Readonly<Record<string, Player>> = {
  'command-api': (foundation, life) => serveCommandApi(foundation, life, { gateway: instantGateway() }),
  projector: serveProjector,
  'query-api': serveQueryApi,
};

const bare =
  (install: (app: App, foundation: Foundation) => Promise<void>): Player =>
  async (foundation, life) => {
    const { config, sessions, limits, logger, log } = foundation;
    const app = await createServer({ config, sessions, limits, logId: log.id, logger });
    life.onEnd(() => app.close());
    await install(app, foundation);
    return listenAt(app, config);
  };

const baselines: Readonly<Record<string, Player>> = {
  'bare-booking': bare((app, { database }) => bareBooking(app, database.pool)),
  'bare-door': bare((app, { database }) => bareDoor(app, database.pool)),
  'bare-bytes': bare((app) => bareBytes(app, Number(process.env.BYTES ?? 0))),
};

/** Takes every mail. */
const mailServer = async (life: Life): Promise<string> => {
  const { url, close } = await startMailServer();
  life.onEnd(close);
  return url;
};

const play = async (part: string, life: Life): Promise<string> => {
  if (part === 'mail-server') return mailServer(life);
  const player = processes[part] ?? baselines[part];
  if (!player) throw new Error(`no part ${part}`);
  const config = readConfig();
  const { databaseUrl = '' } = config;
  const foundation = await layFoundation({ name: part, config, databaseUrl });
  life.onEnd(() => foundation.close());
  return player(foundation, life);
};

if (import.meta.main)
  await runService(async (life) => {
    const address = await play(process.argv[2] ?? '', life);
    console.log(`listening ${new URL(address).port}`);
  });
