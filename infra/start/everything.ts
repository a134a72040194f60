import { type CommandServiceOptions, openCommandService } from '#command-api/service.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';
import type { Config } from '#infra/config/config.ts';
import { seedDemo } from '#infra/demo/seed.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { clientPage, installClient } from '#infra/http/client-pages.ts';
import { listenAt, originOf } from '#infra/http/listen.ts';
import { closeGracefully, createServer } from '#infra/http/server.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { openTogether } from '#infra/lib/endings.ts';
import type { Logger } from '#infra/lib/logger.ts';
import { installOperations } from '#infra/observability/operations.ts';
import type { DatabaseUrls } from '#infra/postgres/roles.ts';
import { openProjectorService } from '#projector/service.ts';
import { openQueryService } from '#query-api/service.ts';

export interface Everything {
  readonly origin: string;
  readonly ready: Promise<void>;
  isUnowned(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface EverythingOptions extends DatabaseUrls {
  readonly config: Config;
  readonly logger?: Logger;
  readonly commands?: Pick<CommandServiceOptions, 'holdFor' | 'reconcileEvery'>;
}

const CONNECTIONS = 30;

/** The three apps share only the adapters. If one fails to start, the earlier ones are stopped. */
export const startEverything = ({
  config,
  databaseUrl,
  ownerUrl,
  logger,
  commands: times,
}: EverythingOptions): Promise<Everything> =>
  openTogether(async (opened) => {
    const foundation = await layFoundation({
      name: 'reprise',
      config,
      databaseUrl,
      ownerUrl,
      connections: CONNECTIONS,
      ...(logger ? { logger } : {}),
    });
    opened.add(() => foundation.close());
    const { sessions, limits, log, metrics } = foundation;
    if (config.work === 'only')
      throw new CannotStart('WORK=only is for node command-api/main.ts: this starts everything.');
    let origin = originOf(config.host, config.port);
    const projector = await openProjectorService(foundation);
    opened.add(() => projector.stop());
    const queries = await openQueryService(foundation);
    opened.add(() => queries.stop());
    const commands = await openCommandService(foundation, { ...times, origin: () => origin });
    opened.add(() => commands.stop());

    let demo: 'waiting' | 'in' = config.demo ? 'waiting' : 'in';
    const app = await createServer({
      config,
      sessions,
      limits,
      logId: log.id,
      logger: foundation.logger,
      page: clientPage(),
    });
    opened.add(() => closeGracefully(app));
    installOperations(app, {
      config,
      metrics,
      checks: [
        ...commands.checks,
        ...projector.checks,
        ...queries.checks,
        {
          name: 'demo data',
          needed: true,
          probe: async () => {
            if (demo === 'waiting') throw new Error('is being brought in');
            return undefined;
          },
        },
      ],
    });
    await commands.install(app);
    await queries.install(app);
    await installClient(app);
    origin = await listenAt(app, config);
    if (config.work === 'on') await commands.startWorking();

    const stopping = new AbortController();
    const ready = (async () => {
      if (config.demo) await seedDemo(foundation, commands.deps, stopping.signal);
      demo = 'in';
    })();
    // If nothing awaits `ready`, its failure must not end the process.
    const settled = ready.catch((error: unknown) => {
      if (!stopping.signal.aborted)
        foundation.logger.error({ err: error }, 'the demo data could not be brought in');
    });
    opened.add(async () => {
      stopping.abort();
      await settled;
    });

    return {
      origin,
      ready,
      isUnowned: async () => (await commands.deps.handler.state(superusers, SUPERUSERS)).state.size === 0,
      stop: () => opened.run(),
    };
  });
