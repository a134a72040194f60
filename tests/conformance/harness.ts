/** How the conformance suite gets at each store: the same few abilities, whichever it is. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { type Append, type AppendResult, type EventLog, OutcomeUnknown } from '#infra/event-log/event-log.ts';
import { type OpenOptions, openEventLogAt } from '#infra/foundation/open-log.ts';
import { type Embedded, startEmbedded } from '#infra/postgres/embedded.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { type EsdbServer, startEsdbServer } from './esdb-server.ts';
import { EsdbStore } from './esdb-store.ts';
import { type Acknowledged, type WriterJob, write } from './writer.ts';

/** A log whose next append to a stream can be made to lose its reply after the commit. */
export interface Lossy {
  readonly log: EventLog;
  loseReplyTo(stream: string): void;
  close(): Promise<void>;
}

/** One store under test, with one log in it. */
export interface Store {
  /** Another user of the same log; the suite closes it. */
  open(options?: OpenOptions): Promise<EventLog>;
  openLossy(): Promise<Lossy>;
  /** Runs a writer beside this process (memory: beside this function). */
  write(job: WriterJob): Promise<Acknowledged[]>;
  /** Stops the store without warning and starts it again, with all that was acknowledged. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface Harness {
  readonly name: string;
  readonly skipped?: string;
  /** Whether positions are promised to have no gaps. */
  readonly gapless: boolean;
  start(): Promise<Store>;
}

const run = promisify(execFile);
const WRITER = join(import.meta.dirname, 'writer.ts');

const writeAt = async (url: string, { name, appends, contested }: WriterJob): Promise<Acknowledged[]> => {
  const { stdout } = await run(process.execPath, [WRITER, url, name, String(appends), contested], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout);
};

/**
 * A log whose connections go through a proxy that loses replies. Through TLS nothing can be recognised, and the certificate's name has to
 * stay: the proxy is then one that the client asks for a way through.
 */
export const lossyAt = async (url: string, replyNamesIt: boolean): Promise<Lossy> => {
  const through = new URL(url);
  const isEncrypted = /^esdb/.test(url) && !/[?&]tls=false/i.test(url);
  const proxy = await startCuttingProxy(isEncrypted ? undefined : Number(through.port));
  if (isEncrypted) process.env.grpc_proxy = `http://127.0.0.1:${proxy.port}`;
  else Object.assign(through, { hostname: '127.0.0.1', port: String(proxy.port) });
  const log = await openEventLogAt(isEncrypted ? url : through.href);
  return {
    log,
    loseReplyTo: (stream) =>
      isEncrypted ? proxy.loseReplyToNext() : proxy.loseReplyTo(stream, replyNamesIt),
    close: async () => {
      await log.close();
      if (isEncrypted) delete process.env.grpc_proxy;
      await proxy.close();
    },
  };
};

/** What is the same of every store that has a URL. */
const storeAt = (url: () => string, replyNamesIt: boolean): Pick<Store, 'open' | 'openLossy' | 'write'> => ({
  open: (options) => openEventLogAt(url(), options),
  openLossy: () => lossyAt(url(), replyNamesIt),
  write: (job) => writeAt(url(), job),
});

/** Closes nothing and loses the reply of one append, after it was made. */
class LossyMemory extends MemoryEventLog {
  lose: string | undefined;
  override async append(batch: readonly Append[]): Promise<readonly AppendResult[]> {
    const results = await super.append(batch);
    if (!batch.some(({ stream }) => stream === this.lose)) return results;
    this.lose = undefined;
    throw new OutcomeUnknown('the reply was lost');
  }
  override async close(): Promise<void> {
    // The suite closes each "connection"; the log must stay for the others.
  }
  /** The same events, appended to without a check. */
  withoutCheck(): EventLog {
    const blind: EventLog['append'] = (batch) =>
      super.append(batch.map((item) => ({ ...item, expected: 'any' as const })));
    return Object.assign(Object.create(this), { append: blind, close: async () => undefined });
  }
  end(): Promise<void> {
    return super.close();
  }
}

const memory: Harness = {
  name: 'memory',
  gapless: true,
  start: async () => {
    const log = new LossyMemory();
    return {
      open: async (options) => (options?.unsafelySkipRevisionCheck ? log.withoutCheck() : log),
      openLossy: async () => ({
        log,
        loseReplyTo: (stream) => {
          log.lose = stream;
        },
        close: () => log.close(),
      }),
      write: (job) => write(log, job),
      // It lives as long as its process does: there is nothing that could be away.
      restart: async () => undefined,
      stop: () => log.end(),
    };
  },
};

const postgres: Harness = {
  name: 'PostgreSQL',
  gapless: true,
  start: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-conformance-'));
    // The account that PostgreSQL runs as must get in.
    await chmod(folder, 0o711);
    const dataDir = join(folder, 'postgres');
    let server: Embedded = await startEmbedded({ dataDir });
    const { url, port } = server;
    return {
      ...storeAt(() => url, false),
      restart: async () => {
        await server.stop('immediate');
        server = await startEmbedded({ dataDir, port });
      },
      stop: async () => {
        await server.stop('immediate');
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

const loopback: Harness = {
  name: 'EventStoreDB (its client against a loopback server)',
  gapless: false,
  start: async () => {
    const store = new EsdbStore();
    let server: EsdbServer = await startEsdbServer(store);
    const { url, port } = server;
    return {
      ...storeAt(() => url, true),
      restart: async () => {
        await server.stop();
        server = await startEsdbServer(store, port);
      },
      stop: () => server.stop(),
    };
  },
};

const IMAGE = 'eventstore/eventstore:24.10.5-jammy';

const whyNoDocker = async (): Promise<string | undefined> => {
  const socket = process.env.DOCKER_HOST?.replace(/^unix:\/\//, '') ?? '/var/run/docker.sock';
  if (socket.includes('://')) return undefined;
  return new Promise((done) => {
    const probe = connect(socket, () => done(void probe.destroy()));
    probe.once('error', () => done('no Docker is running here'));
  });
};

const container = async (): Promise<Harness> => ({
  name: 'EventStoreDB (in a container)',
  gapless: false,
  skipped: await whyNoDocker(),
  start: async () => {
    const settings = { CLUSTER_SIZE: '1', RUN_PROJECTIONS: 'None', INSECURE: 'true' };
    const environment = Object.entries(settings).map(([name, value]) => [`EVENTSTORE_${name}`, value]);
    const started: StartedTestContainer = await new GenericContainer(IMAGE)
      .withEnvironment(Object.fromEntries(environment))
      .withExposedPorts(2113)
      .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
      .start();
    const url = () => `esdb://127.0.0.1:${started.getMappedPort(2113)}?tls=false`;
    return {
      ...storeAt(url, true),
      restart: () => started.restart({ timeout: 10 }),
      stop: async () => {
        await started.stop();
      },
    };
  },
});

/** A store that somebody else runs: an empty one, which the suite neither restarts nor stops. */
const given = (url: string | undefined): Harness => ({
  name: 'EventStoreDB (EVENT_STORE_TEST_URL)',
  gapless: false,
  skipped: url ? undefined : 'EVENT_STORE_TEST_URL is not set',
  start: async () => ({
    ...storeAt(() => url ?? '', true),
    restart: async () => undefined,
    stop: async () => undefined,
  }),
});

export const harnesses: readonly Harness[] = [
  memory,
  postgres,
  loopback,
  await container(),
  given(process.env.EVENT_STORE_TEST_URL),
];
