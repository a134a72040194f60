import { allEvents } from '#domain/all-events.ts';
import type { Config } from '#infra/config/config.ts';
import { type Codec, createCodec } from '#infra/event-log/codec.ts';
import { type EventLog, LogUnavailable } from '#infra/event-log/event-log.ts';
import { createRateLimits, type RateLimits } from '#infra/http/rate-limits.ts';
import { createSessions, type Sessions } from '#infra/http/sessions.ts';
import { holdsDemo, refuseDemoData } from '#infra/identity/demo-accounts.ts';
import { type ImageStore, imageFolder, openImageStore } from '#infra/images/image-store.ts';
import { openErasureRegister, registerOf } from '#infra/keys/erasure-register.ts';
import { loadSecrets, type Secrets } from '#infra/keys/files.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import { type MasterSecrets, readMasterSecrets } from '#infra/keys/master-secrets.ts';
import { createPostgresKeyStore } from '#infra/keys/postgres.ts';
import { proveMasterKey } from '#infra/keys/prove-master-key.ts';
import { proveTicketKey } from '#infra/keys/prove-ticket-key.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { type Endings, openTogether } from '#infra/lib/endings.ts';
import { createLogger, type Logger } from '#infra/lib/logger.ts';
import { complaints } from '#infra/observability/complaints.ts';
import { createMetrics, type Metrics } from '#infra/observability/metrics.ts';
import { type Database, openDatabase } from '#infra/postgres/database.ts';
import { followDatabaseClock, refuseSkew } from '#infra/postgres/database-clock.ts';
import { asOutdated, demandMigrated, migrate } from '#infra/postgres/migrate.ts';
import { type DatabaseUrls, isSuperuser, letSiteIn } from '#infra/postgres/roles.ts';
import { refuseUnfinishedRestore } from '#infra/postgres/unfinished-restore.ts';
import { type CheckpointSigner, createCheckpointSigner } from '#infra/proof/proof.ts';
import { openTicketPrinter, type TicketPrinter } from '#infra/tickets/printer.ts';
import { createTicketSigner, type TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { applyErasures } from './apply-erasures.ts';
import { openEventLogAt } from './open-log.ts';

export interface Foundation {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly secrets: Secrets & Pick<MasterSecrets, 'emailClaims'>;
  readonly keys: KeyStore;
  readonly codec: Codec;
  readonly log: EventLog;
  readonly sessions: Sessions;
  readonly limits: RateLimits;
  readonly images: ImageStore;
  readonly signer: TicketSigner;
  readonly checkpointSigner: CheckpointSigner;
  readonly printer: TicketPrinter;
  close(): Promise<void>;
}

export interface FoundationOptions extends DatabaseUrls {
  readonly name: string;
  readonly config: Config;
  readonly connections?: number;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Inspection: creates, migrates and erases nothing. */
  readonly looks?: boolean;
  readonly restores?: boolean;
}

const openLog = async ({ eventStoreUrl }: Config, databaseUrl: string, now?: Clock): Promise<EventLog> => {
  try {
    return await openEventLogAt(eventStoreUrl ?? databaseUrl, now ? { now } : {});
  } catch (error) {
    // EventStoreDB's client has no error class for an invalid address.
    if (error instanceof Error && 'connectionString' in error)
      throw new CannotStart(`EVENT_STORE_URL: ${error.message}`, { cause: error });
    if (!(error instanceof LogUnavailable)) throw asOutdated(error);
    throw new CannotStart(
      `The event log can't be reached: see ${eventStoreUrl ? 'EVENT_STORE_URL' : 'DATABASE_URL'}.`,
      { cause: error },
    );
  }
};

const prepareDatabase = async ({ config, databaseUrl, ownerUrl }: FoundationOptions): Promise<void> => {
  await migrate(ownerUrl ?? databaseUrl);
  if (ownerUrl === undefined) return;
  if (!config.eventStoreUrl) await (await openLog(config, ownerUrl)).close();
  await letSiteIn({ databaseUrl, ownerUrl });
};

const databaseClock = async (
  pool: Database['pool'],
  opened: Endings,
  onError: (error: unknown) => void,
): Promise<Clock> => {
  const followed = await followDatabaseClock(pool, onError);
  opened.add(() => followed.stop());
  refuseSkew(followed.ahead(), "PostgreSQL's");
  return followed.clock;
};

/**
 * Safe to run concurrently.
 * @throws CannotStart when a store can't be reached, a secret is missing or wrong, a restore is incomplete,
 * or production has demo data
 */
export const layFoundation = (options: FoundationOptions): Promise<Foundation> =>
  openTogether(async (opened) => {
    const { config, databaseUrl, name, looks = false, restores = false } = options;
    const logger = options.logger ?? createLogger({ name, level: config.logLevel });
    const onError = complaints(logger, 'a connection broke');
    const secrets = await loadSecrets({
      dataDir: config.dataDir,
      production: config.production,
      make: !looks,
      env: config.secrets,
    });
    if (!looks) await prepareDatabase(options);
    const database = openDatabase(databaseUrl, { name, max: options.connections ?? 20, onError });
    opened.add(() => database.close());
    const { pool } = database;
    if (looks) await demandMigrated(pool);
    if (!restores) await refuseUnfinishedRestore(pool);
    const clock = options.clock ?? (await databaseClock(pool, opened, onError));
    if (config.production) {
      await refuseDemoData(pool);
      if (await isSuperuser(pool))
        logger.warn(
          'DATABASE_URL connects as a superuser: docs/operations/deployment.md says how the site can do with less',
        );
    } else if (!config.demo && (await holdsDemo(pool)))
      logger.warn("the demo's accounts, whose password is public, can sign in here");
    const keys = createPostgresKeyStore({
      pool,
      masterKey: secrets.masterKey,
      listenUrl: databaseUrl,
      onError,
      ...(looks ? {} : { register: await openErasureRegister(registerOf(config), clock) }),
    });
    opened.add(() => keys.close());
    await proveMasterKey(pool, keys);
    const signer = createTicketSigner(secrets.ticketSigningKey, config.retiredTicketKeys);
    await proveTicketKey(pool, signer);
    const { emailClaims } = await readMasterSecrets(pool, secrets.masterKey);
    const log = await openLog(config, databaseUrl, clock);
    opened.add(() => log.close());
    if (config.eventStoreUrl) {
      const { aheadOfStore } = await import('#infra/event-log/eventstoredb/event-log.ts');
      const ahead = await aheadOfStore(config.eventStoreUrl);
      if (ahead === undefined) logger.warn('no node of the EventStoreDB says what its time is');
      else logger.info({ ahead }, "milliseconds that this machine's clock is ahead of EventStoreDB's");
      refuseSkew(ahead ?? 0, "EventStoreDB's");
    }
    const reErased = looks ? [] : await applyErasures(pool, log, keys);
    if (reErased.length > 0) logger.info({ keys: reErased.length }, 'keys of erased people are destroyed');
    const printer = openTicketPrinter();
    opened.add(() => printer.close());
    const sessions = createSessions({ pool, clock });
    opened.add(() => sessions.stop());
    return {
      config,
      databaseUrl,
      clock,
      logger,
      metrics: createMetrics(name),
      database,
      secrets: { ...secrets, emailClaims },
      keys,
      codec: createCodec(keys, allEvents),
      log,
      sessions,
      limits: createRateLimits({ factor: config.rateLimits, pool, clock }),
      images: openImageStore(imageFolder(config.dataDir)),
      signer,
      checkpointSigner: createCheckpointSigner(secrets.checkpointSigningKey, config.retiredCheckpointKeys),
      printer,
      close: () => opened.run(),
    };
  });
