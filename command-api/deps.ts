/**
 * What the command side is made of: put together once from a configuration, a database and a log, by the starts, the
 * command-line tools and the specs alike.
 */
import type { KeyObject } from 'node:crypto';
import type { Clock } from '#infra/clock.ts';
import type { Config } from '#infra/config.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import type { RateLimits } from '#infra/http/rate-limits.ts';
import type { Sessions } from '#infra/http/sessions.ts';
import { type Credentials, createCredentials } from '#infra/identity/credentials.ts';
import { createGoogleSignIn, type GoogleSignIn } from '#infra/identity/google.ts';
import { createMailTokens, type MailTokens } from '#infra/identity/mail-tokens.ts';
import { createIds, type Ids } from '#infra/ids/ids.ts';
import { createEmailId, type EmailId } from '#infra/keys/email-claims.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import type { Outbox } from '#infra/mail/mailer.ts';
import { createOutbox } from '#infra/mail/outbox.ts';
import type { Logger } from '#infra/observability/logger.ts';
import type { Metrics } from '#infra/observability/metrics.ts';
import type { Database } from '#infra/postgres/database.ts';
import { createReplies, type Replies } from './idempotency/replies.ts';
import { type ActingLane, createLane, type Lane } from './lane/lane.ts';
import { type LaneMetrics, unmeasured } from './lane/metrics.ts';
import { createPostgresSnapshots } from './lane/snapshots.ts';

/** What an erasure asks of whoever else keeps something about an account. */
export interface AccountEnding {
  /**
   * Before the key goes: abandons what the account is buying and cancels its upcoming bookings under the policy.
   * Repeatable; throws if it could not be finished, and is then called again.
   */
  endPurchases(accountId: string, acting: ActingLane): Promise<void>;
  /** After the key is gone: removes what tables and caches still hold of the person. Each is repeatable. */
  readonly sweeps: readonly ((accountId: string) => Promise<void>)[];
}

export interface CommandDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly lane: Lane;
  readonly replies: Replies;
  readonly keys: KeyStore;
  readonly ids: Ids;
  readonly emailId: EmailId;
  readonly sessions: Sessions;
  readonly limits: RateLimits;
  readonly credentials: Credentials;
  readonly mailTokens: MailTokens;
  /** Undefined: not configured. */
  readonly google: GoogleSignIn | undefined;
  readonly outbox: Outbox;
}

/** What the command side is made from: a `Foundation` (`infra/foundation.ts`) has all of it. */
export type CommandParts = Pick<
  CommandDeps,
  'config' | 'clock' | 'logger' | 'database' | 'log' | 'codec' | 'keys' | 'sessions' | 'limits'
> & {
  readonly secrets: { readonly masterKey: Uint8Array; readonly emailClaims: KeyObject };
  readonly metrics?: Metrics;
};

/** The lane's word on its work, as the process's metrics keep it. */
const measured = (metrics: Metrics): LaneMetrics => ({
  ...unmeasured,
  append: (milliseconds, _streams, events) => metrics.appended(milliseconds / 1_000, events),
  conflict: () => metrics.conflicted(),
});

/** Makes one process's command side. Before its parts are closed, `lane.drain()` lets what was taken end. */
export const createCommandDeps = (parts: CommandParts): CommandDeps => {
  const { config, clock, logger, database, log, codec, keys, sessions, limits, metrics } = parts;
  const { masterKey, emailClaims } = parts.secrets;
  const { pool } = database;
  return {
    config,
    clock,
    logger,
    database,
    log,
    codec,
    keys,
    sessions,
    limits,
    lane: createLane({
      log,
      codec,
      clock,
      snapshots: createPostgresSnapshots(pool, masterKey),
      metrics: metrics ? measured(metrics) : unmeasured,
    }),
    replies: createReplies({ pool, masterKey, now: clock }),
    ids: createIds(pool),
    emailId: createEmailId(emailClaims),
    credentials: createCredentials({ pool, clock }),
    mailTokens: createMailTokens({ pool, clock }),
    google: config.google && createGoogleSignIn(config.google, config.baseUrl),
    outbox: createOutbox(pool),
  };
};
