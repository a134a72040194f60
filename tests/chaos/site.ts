/** The product as a round runs it: in one process or in four, on a PostgreSQL that can be killed. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#infra/config/config.ts';
import { type Foundation, layFoundation } from '#infra/foundation/foundation.ts';
import { freePort } from '#infra/lib/machine.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { startCluster } from './cluster.ts';
import { Supervised } from './processes.ts';

/** `one`: `npm start`'s way; `several`: two command-apis, projector and query-api. */
export type Shape = 'one' | 'several';

export type Site = Awaited<ReturnType<typeof openSite>>;

export interface SiteOptions {
  /** Of the round: PostgreSQL, keys, mails and logs. */
  readonly folder: string;
  readonly shape: Shape;
  /** Milliseconds. */
  readonly holdFor: number;
  /** The control: no revision is checked. */
  readonly unchecked: boolean;
  /** The log is in an EventStoreDB at this address, and not in PostgreSQL. */
  readonly store?: string | undefined;
}

const HERE = 'tests/chaos';

export const openSite = async (options: SiteOptions) => {
  const { folder, shape, holdFor, unchecked, store } = options;
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true });
  const cluster = await startCluster(join(folder, 'postgres'));
  const env = {
    ...{ DATABASE_URL: cluster.url, DATA_DIR: dataDir, BASE_URL: 'http://localhost:3000' },
    ...(store ? { EVENT_STORE_URL: store } : {}),
    ...{ DEMO: 'off', RATE_LIMITS: '1000', LOG_LEVEL: 'warn' },
    ...{ CHAOS_HOLD_FOR: String(holdFor), CHAOS_UNCHECKED: unchecked ? 'yes' : 'no' },
  };
  const supervised = async (name: string, program: string): Promise<Supervised> =>
    new Supervised({
      ...{ name, program, env, port: await freePort(), logs: folder },
      falls: () => (cluster.up ? cluster.falls : Number.POSITIVE_INFINITY),
    });
  const commands =
    shape === 'one'
      ? [await supervised('everything', `${HERE}/everything.ts`)]
      : await Promise.all([1, 2].map((nth) => supervised(`command-api-${nth}`, `${HERE}/command-api.ts`)));
  const queries = shape === 'one' ? commands : [await supervised('query-api', 'query-api/main.ts')];
  const projectors = shape === 'one' ? [] : [await supervised('projector', 'projector/main.ts')];
  const processes = [...new Set([...projectors, ...queries, ...commands])];
  return {
    cluster,
    processes,
    /** Where commands go. */
    commands: commands.map(({ origin }) => origin),
    queries: queries[0]?.origin ?? '',
    /** The harness's own look at stores, keys and log. */
    foundation(): Promise<Foundation> {
      const own = { config: readConfig(env), logger: silentLogger(), connections: 6 };
      return layFoundation({ name: 'harness', databaseUrl: cluster.url, ...own });
    },
    /** Starts the processes and waits until they answer. */
    async start() {
      for (const one of processes) one.start();
      await Promise.all(processes.map((one) => one.answers()));
    },
    async stop() {
      await Promise.all(processes.map((one) => one.kill()));
      await cluster.stop();
    },
  };
};
