import type { KeyObject } from 'node:crypto';
import {
  type ActingHandler,
  type CommandHandler,
  createCommandHandler,
} from '#command-api/commands/command-handler.ts';
import type { CommandMetrics } from '#command-api/commands/metrics.ts';
import { createPostgresSnapshots } from '#command-api/commands/snapshots.ts';
import { createReplies, type Replies } from '#command-api/idempotency/replies.ts';
import type { Config } from '#infra/config/config.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { createKnownDevices, type KnownDevices } from '#infra/http/known-devices.ts';
import type { RateLimits } from '#infra/http/rate-limits.ts';
import type { Sessions } from '#infra/http/sessions.ts';
import { type Credentials, createCredentials } from '#infra/identity/credentials.ts';
import { createGoogleSignIn, type GoogleSignIn } from '#infra/identity/google.ts';
import { createMailTokens, type MailTokens } from '#infra/identity/mail-tokens.ts';
import { createSecondFactors, type SecondFactors } from '#infra/identity/second-factors.ts';
import { createSecondSteps, type SecondSteps } from '#infra/identity/second-steps.ts';
import { createIds, type Ids } from '#infra/ids/ids.ts';
import { deriveKey } from '#infra/keys/cipher.ts';
import { createEmailId, type EmailId } from '#infra/keys/email-claims.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import type { Clock } from '#infra/lib/clock.ts';
import type { Logger } from '#infra/lib/logger.ts';
import type { Outbox } from '#infra/mail/mailer.ts';
import { createOutbox } from '#infra/mail/outbox.ts';
import { createUnsubscribeLinks, type UnsubscribeLinks } from '#infra/mail/unsubscribe-links.ts';
import { complaints } from '#infra/observability/complaints.ts';
import type { Metrics } from '#infra/observability/metrics.ts';
import { createSignInLog, type TellSignIn } from '#infra/observability/sign-ins.ts';
import type { Database } from '#infra/postgres/database.ts';
import { createWebhookSecrets, type WebhookSecrets } from '#infra/webhooks/webhooks.ts';

export interface AccountEnding {
  /**
   * Refunds follow the policy, or are full if a superuser deletes the account (`account-removed`).
   * Repeatable.
   * @throws if unfinished; call again
   * @param at ISO instant of the request, which decides the refunds
   */
  endPurchases(
    accountId: string,
    acting: ActingHandler,
    by: 'account-erased' | 'account-removed',
    at: string,
  ): Promise<void>;
  /**
   * Repeatable.
   * @returns false if mails are left; call again
   */
  sayFarewell(accountId: string): Promise<boolean>;
  /** Run on tables and files after the key was destroyed. Repeatable. */
  readonly sweeps: readonly ((accountId: string) => Promise<void>)[];
}

export interface CommandDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly handler: CommandHandler;
  readonly replies: Replies;
  readonly keys: KeyStore;
  readonly ids: Ids;
  readonly emailId: EmailId;
  readonly sessions: Sessions;
  readonly limits: RateLimits;
  readonly devices: KnownDevices;
  readonly credentials: Credentials;
  readonly mailTokens: MailTokens;
  readonly secondFactors: SecondFactors;
  readonly secondSteps: SecondSteps;
  readonly tellSignIn: TellSignIn;
  readonly google: GoogleSignIn | undefined;
  readonly outbox: Outbox;
  readonly webhookSecrets: WebhookSecrets;
  readonly unsubscribeLinks: UnsubscribeLinks;
}

export type CommandParts = Pick<
  CommandDeps,
  'config' | 'clock' | 'logger' | 'database' | 'log' | 'codec' | 'keys' | 'sessions' | 'limits'
> & {
  readonly secrets: { readonly masterKey: Uint8Array; readonly emailClaims: KeyObject };
  readonly metrics?: Metrics;
};

const reported = (logger: Logger, metrics?: Metrics): CommandMetrics => ({
  append: (milliseconds, events) => metrics?.appended(milliseconds / 1_000, events),
  conflict: () => metrics?.conflicted(),
  readFailed: complaints(logger, 'the log could not be read after a lost reply, and is asked again'),
  snapshotFailed: complaints(logger, 'a snapshot could not be written or read'),
});

/** Call `command handler.drain()` before closing the parts. */
export const createCommandDeps = (parts: CommandParts): CommandDeps => {
  const { config, clock, logger, database, log, codec, keys, sessions, limits, metrics } = parts;
  const { masterKey, emailClaims } = parts.secrets;
  const { pool } = database;
  const handler = createCommandHandler({
    log,
    codec,
    clock,
    snapshots: createPostgresSnapshots(pool, masterKey),
    metrics: reported(logger, metrics),
  });
  keys.onDestroyed((subject) => handler.forget(subject));
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
    handler,
    replies: createReplies({ pool, masterKey, now: clock }),
    ids: createIds(pool),
    emailId: createEmailId(emailClaims),
    credentials: createCredentials({ pool, clock }),
    mailTokens: createMailTokens({ pool, clock }),
    secondFactors: createSecondFactors({ pool, keys, clock }),
    secondSteps: createSecondSteps(masterKey, clock),
    tellSignIn: createSignInLog(masterKey),
    devices: createKnownDevices(deriveKey(masterKey, 'known-devices')),
    google: config.google && createGoogleSignIn(config.google, config.baseUrl),
    outbox: createOutbox(pool),
    webhookSecrets: createWebhookSecrets(pool, emailClaims),
    unsubscribeLinks: createUnsubscribeLinks(emailClaims, config.baseUrl),
  };
};
