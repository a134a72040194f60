/** The one-process start on a PostgreSQL of the harness, with the short holds of the chaos runs. */

import { configOrExit, stopOnSignals } from '#infra/process.ts';
import { startEverything } from '#infra/start/everything.ts';
import { commandOptions } from './options.ts';

const config = configOrExit();
const everything = await startEverything({
  config,
  databaseUrl: config.databaseUrl ?? '',
  commands: commandOptions,
});
stopOnSignals(() => everything.stop());
