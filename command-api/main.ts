import { listenAt, originOf } from '#infra/http/listen.ts';
import { closeGracefully, createServer } from '#infra/http/server.ts';
import { installOperations } from '#infra/observability/operations.ts';
import { runProcess } from '#infra/process.ts';
import { openCommandService } from './service.ts';

await runProcess({
  name: 'command-api',
  help: `Takes the site's changes, and does the work behind them: payments, refunds, timers, mail. Any number may run.

  node command-api/main.ts

Variables: DATABASE_URL (needed), EVENT_STORE_URL, HOST, PORT, BASE_URL, DATA_DIR and the keys; docs/operations.md has all.`,
  async start(foundation, { onEnd }) {
    const { config, sessions, limits, logger, log, metrics } = foundation;
    const origin = originOf(config.host, config.port);
    const service = await openCommandService(foundation, { origin: () => origin });
    onEnd(() => service.stop());
    const app = await createServer({ config, sessions, limits, logId: log.id, logger });
    onEnd(() => closeGracefully(app));
    installOperations(app, { config, metrics, checks: service.checks });
    await service.install(app);
    const address = await listenAt(app, config);
    await service.startWorking();
    logger.info(`command-api listens on ${address}`);
  },
});
