/** What every process of the product stands on: the stores, the keys, the log, and the pieces that both APIs share. */
import { join } from 'node:path';
import { allEvents } from '#domain/all-events.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { type Codec, createCodec } from './event-log/codec.ts';
import type { EventLog } from './event-log/event-log.ts';
import { openEventLog } from './event-log/open.ts';
import { createRateLimits, type RateLimits } from './http/rate-limits.ts';
import { createSessions, type Sessions } from './http/sessions.ts';
import { type ImageStore, openImageStore } from './images/image-store.ts';
import { applyErasures } from './keys/apply-erasures.ts';
import { loadSecrets, type Secrets } from './keys/files.ts';
import type { KeyStore } from './keys/key-store.ts';
import { createPostgresKeyStore } from './keys/postgres.ts';
import { createLogger, type Logger } from './observability/logger.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { type Database, openDatabase } from './postgres/database.ts';
import { migrate } from './postgres/migrate.ts';
import { createTicketSigner, type TicketSigner } from './tickets/ticket-signer.ts';

export interface Foundation {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly keys: KeyStore;
  readonly codec: Codec;
  readonly log: EventLog;
  readonly sessions: Sessions;
  readonly limits: RateLimits;
  readonly images: ImageStore;
  readonly signer: TicketSigner;
  /** Closes everything, last opened first. */
  close(): Promise<void>;
}

export interface FoundationOptions {
  /** Names the process in logs, metrics and `pg_stat_activity`. */
  readonly name: string;
  readonly config: Config;
  readonly databaseUrl: string;
  /** Connections to PostgreSQL at the most. Default 20. */
  readonly connections?: number;
  readonly logger?: Logger;
}

/** Opens the stores and brings the database up to date. Several processes may do so at the same moment. */
export const layFoundation = async (options: FoundationOptions): Promise<Foundation> => {
  const { config, databaseUrl, name } = options;
  const logger = options.logger ?? createLogger({ name, level: config.logLevel });
  const onError = (error: unknown): void => logger.warn({ err: error }, 'a connection broke');
  const secrets = await loadSecrets({
    dataDir: config.dataDir,
    production: config.production,
    env: config.secrets,
  });
  await migrate(databaseUrl);
  const database = openDatabase(databaseUrl, { name, max: options.connections ?? 20, onError });
  const { pool } = database;
  const keys = createPostgresKeyStore({
    pool,
    masterKey: secrets.masterKey,
    listenUrl: databaseUrl,
    onError,
  });
  const log = await openEventLog({ databaseUrl, eventStoreUrl: config.eventStoreUrl });
  const reErased = await applyErasures(pool, log, keys);
  if (reErased.length > 0) logger.info({ keys: reErased.length }, 'keys of erased people are destroyed');
  const sessions = createSessions({ pool, clock: systemClock });
  return {
    config,
    databaseUrl,
    clock: systemClock,
    logger,
    metrics: createMetrics(name),
    database,
    secrets,
    keys,
    codec: createCodec(keys, allEvents),
    log,
    sessions,
    limits: createRateLimits({ factor: config.rateLimits, pool, clock: systemClock }),
    images: openImageStore(join(config.dataDir, 'images')),
    signer: createTicketSigner(secrets.ticketSigningKey),
    async close() {
      await sessions.stop();
      await log.close();
      await keys.close();
      await database.close();
    },
  };
};
