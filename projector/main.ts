import { listenAt } from '#infra/http/listen.ts';
import { closeGracefully, createServer } from '#infra/http/server.ts';
import { installOperations } from '#infra/observability/operations.ts';
import { runProcess } from '#infra/process.ts';
import { openProjectorService } from './service.ts';

await runProcess({
  name: 'projector',
  help: `Keeps the read models up to date with the log. Any number may run; one works, another takes over when it ends.

  node projector/main.ts

It answers /healthz, /readyz and /metrics on HOST and PORT.
Variables: DATABASE_URL (needed), EVENT_STORE_URL, HOST, PORT, DATA_DIR and the keys; docs/operations.md has all.`,
  async start(foundation, { onEnd }) {
    const { config, sessions, limits, logger, log, metrics } = foundation;
    const service = await openProjectorService(foundation);
    onEnd(() => service.stop());
    const app = await createServer({ config, sessions, limits, logId: log.id, logger });
    onEnd(() => closeGracefully(app));
    installOperations(app, { config, metrics, checks: service.checks });
    const address = await listenAt(app, config);
    logger.info(`projector answers on ${address}`);
  },
});
