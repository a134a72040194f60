import { runProcess } from '#infra/foundation/process.ts';
import { serveQueryApi } from './serve.ts';

await runProcess({
  name: 'query-api',
  help: `Answers the site's queries from the read models. Any number may run.

  node query-api/main.ts

Variables: DATABASE_URL (needed), EVENT_STORE_URL, HOST, PORT, BASE_URL, DATA_DIR and the keys; docs/operations/variables.md lists all.`,
  start: serveQueryApi,
});
