import { listenAt } from '#infra/http/listen.ts';
import { closeGracefully, createServer } from '#infra/http/server.ts';
import { installOperations } from '#infra/observability/operations.ts';
import { runProcess } from '#infra/process.ts';
import { openQueryService } from './service.ts';

await runProcess({
  name: 'query-api',
  help: `Answers the site's queries from the read models. Any number may run.

  node query-api/main.ts

Variables: DATABASE_URL (needed), EVENT_STORE_URL, HOST, PORT, BASE_URL, DATA_DIR and the keys; docs/operations.md has all.`,
  async start(foundation, { onEnd }) {
    const { config, sessions, limits, logger, log, metrics } = foundation;
    const service = await openQueryService(foundation);
    onEnd(() => service.stop());
    const app = await createServer({ config, sessions, limits, logId: log.id, logger });
    onEnd(() => closeGracefully(app));
    installOperations(app, { config, metrics, checks: service.checks });
    await service.install(app);
    const address = await listenAt(app, config);
    logger.info(`query-api listens on ${address}`);
  },
});
