/** `command-api/main.ts` with what only tests may set: short holds, quick comparisons, and the control's missing check. */
import { serveCommandApi } from '#command-api/serve.ts';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { runProcess } from '#infra/foundation/process.ts';
import { blindToOthers } from './blind-log.ts';
import { commandOptions, unchecked } from './options.ts';

await runProcess({
  name: 'command-api',
  help: 'command-api for the chaos runs; see tests/chaos/main.ts.',
  async start(given, life) {
    const log = unchecked
      ? await blindToOthers(await openEventLogAt(given.databaseUrl, { unsafelySkipRevisionCheck: true }))
      : given.log;
    if (log !== given.log) life.onEnd(() => log.close());
    await serveCommandApi({ ...given, log }, life, commandOptions);
  },
});
