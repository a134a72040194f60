/** Hashing a long log would block requests for seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { recheck } from './recheck.ts';
import type { ThreadData, ThreadNews } from './recheck-apart.ts';

const { databaseUrl, logUrl, publicKeys } = workerData as ThreadData;
const tell = (news: ThreadNews): void => parentPort?.postMessage(news);

const database = openDatabase(databaseUrl, { name: 'reprise recheck', max: 2 });
const log = await openEventLogAt(logUrl);
try {
  const { size, findings } = await recheck({
    pool: database.pool,
    log,
    publicKeys,
    say: (compared) => tell({ compared }),
  });
  tell({ size, findings });
} finally {
  await log.close();
  await database.close();
}
