import { runProcess } from '#infra/foundation/process.ts';
import { serveCommandApi } from './serve.ts';

await runProcess({
  name: 'command-api',
  help: `Takes the site's changes, and does the work behind them: payments, refunds, timers, mail. Any number may run.

  node command-api/main.ts

WORK=off leaves the work to other processes, and WORK=only does nothing else.
Variables: DATABASE_URL (needed), EVENT_STORE_URL, HOST, PORT, BASE_URL, DATA_DIR and the keys; docs/operations/variables.md lists all.`,
  start: serveCommandApi,
});
