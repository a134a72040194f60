/** `command-api/main.ts` with what only tests may set: short holds, quick comparisons, and the control's missing check. */
import { openCommandService } from '#command-api/service.ts';
import { openEventLogAt } from '#infra/event-log/open.ts';
import type { Foundation } from '#infra/foundation.ts';
import { closeGracefully, createServer } from '#infra/http/server.ts';
import { installOperations } from '#infra/observability/operations.ts';
import { runProcess } from '#infra/process.ts';
import { blindToOthers } from './blind-log.ts';
import { commandOptions, unchecked } from './options.ts';

await runProcess({
  name: 'command-api',
  help: 'command-api for the chaos runs; see tests/chaos/main.ts.',
  async start(given, { onEnd }) {
    const { config, databaseUrl, sessions, limits, logger, metrics } = given;
    const log = unchecked
      ? await blindToOthers(await openEventLogAt(databaseUrl, { unsafelySkipRevisionCheck: true }))
      : given.log;
    if (log !== given.log) onEnd(() => log.close());
    const foundation: Foundation = { ...given, log };
    const origin = `http://127.0.0.1:${config.port}`;
    const service = await openCommandService(foundation, { origin: () => origin, ...commandOptions });
    onEnd(() => service.stop());
    const app = await createServer({ config, sessions, limits, logId: log.id, logger });
    onEnd(() => closeGracefully(app));
    installOperations(app, { config, metrics, checks: service.checks });
    await service.install(app);
    await app.listen({ host: config.host, port: config.port });
    await service.startWorking();
  },
});
