/** The one-process start on a PostgreSQL of the harness, with the short holds of the chaos runs. */
import { configOrExit, runService } from '#infra/foundation/process.ts';
import { startEverything } from '#infra/start/everything.ts';
import { commandOptions } from './options.ts';

const config = configOrExit();
await runService(async ({ onEnd }) => {
  const { stop } = await startEverything({
    config,
    databaseUrl: config.databaseUrl ?? '',
    commands: commandOptions,
  });
  onEnd(stop);
});
