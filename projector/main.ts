import { runProcess } from '#infra/foundation/process.ts';
import { serveProjector } from './serve.ts';

await runProcess({
  name: 'projector',
  help: `Keeps the read models up to date with the log. Any number may run; one works, another takes over when it ends.

  node projector/main.ts

It answers /healthz, /readyz and /metrics on HOST and PORT.
Variables: DATABASE_URL (needed), EVENT_STORE_URL, HOST, PORT, DATA_DIR and the keys; docs/operations/variables.md lists all.`,
  start: serveProjector,
});
