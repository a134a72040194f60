import { join } from 'node:path';
import type { Pool } from 'pg';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { takesAppends } from '#infra/event-log/takes-appends.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { createRush } from '#infra/http/rush.ts';
import type { App } from '#infra/http/server.ts';
import { liftSequences } from '#infra/ids/ids.ts';
import { rememberTicketKey } from '#infra/keys/prove-ticket-key.ts';
import { destroyOldSupportKeys } from '#infra/keys/support-keys.ts';
import { destroyOldVisitorKeys } from '#infra/keys/visitor-keys.ts';
import { repeat } from '#infra/lib/every.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import type { Transport } from '#infra/mail/mailer.ts';
import { MAIL_IS_DOWN, oldestMail, sendMails } from '#infra/mail/outbox.ts';
import { fileTransport, smtpTransport } from '#infra/mail/transports.ts';
import { complaints } from '#infra/observability/complaints.ts';
import type { Metrics } from '#infra/observability/metrics.ts';
import type { Check } from '#infra/observability/operations.ts';
import type { PaymentGateway } from '#infra/payments/gateway.ts';
import { openPayments } from '#infra/payments/open.ts';
import { listen } from '#infra/postgres/listener.ts';
import { eachUnread } from '#infra/subscriptions/unread.ts';
import { finishErasures, sweepsOf } from './accounts/erasure.ts';
import { sayFarewell } from './accounts/farewell.ts';
import { sweepImages } from './catalogue/unused-images.ts';
import { createCommandDeps } from './deps/deps.ts';
import { countToDecide, failingJobs, lastFailureOf, sweepWebhooks } from './jobs/jobs.ts';
import { createComposer } from './mail/compose.ts';
import { recordMailSent } from './mail/sent.ts';
import { policyLag } from './policies/run-policies.ts';
import { startWork, type Work } from './policies/work.ts';
import { endPurchases } from './purchase/end-purchases.ts';
import { createPurchases } from './purchase/purchases.ts';
import { type CommandApiDeps, commandRoutes } from './server.ts';
import { startWebhooks, sweepDeliveries } from './webhooks/webhooks.ts';

export interface CommandService {
  readonly deps: CommandApiDeps;
  readonly checks: readonly Check[];
  /** Before the server listens. */
  install(app: App): Promise<void>;
  /** Once the server listens. */
  startWorking(): Promise<void>;
  stop(): Promise<void>;
}

export interface CommandServiceOptions {
  origin(): string;
  readonly gateway?: PaymentGateway;
  /** Milliseconds. Default: from the configuration. */
  readonly holdFor?: number;
  /** Milliseconds. */
  readonly reconcileEvery?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const transportOf = ({ config, logger }: Foundation): Transport =>
  config.mail.smtpUrl
    ? smtpTransport(config.mail.smtpUrl, config.mail.from, config.mail.atOnce)
    : fileTransport(join(config.dataDir, 'outbox'), config.mail.from, (file, { link }) =>
        // Without a mail server, the log is the only way to get the link.
        logger.info(link && !config.production ? { file, link } : { file }, 'a mail was written'),
      );

const checksOf = (log: EventLog, pool: Pool): readonly Check[] => [
  {
    name: 'event log',
    needed: true,
    probe: async () => {
      const [head] = await Promise.all([log.head(), takesAppends(log)]);
      return `at ${head || 'the beginning'}`;
    },
  },
  {
    name: 'database',
    needed: true,
    probe: async () => {
      await pool.query('select 1');
      return undefined;
    },
  },
  {
    name: 'jobs',
    needed: false,
    probe: async () => {
      const failing = await failingJobs(pool);
      if (failing.length > 0) throw new Error(`${failing.length} keep failing`);
      return undefined;
    },
  },
  {
    name: 'unread events',
    needed: false,
    probe: async () => {
      const unread = await eachUnread(pool);
      if (unread.length > 0)
        throw new Error(`${unread.length} made no jobs: a newer program has to read them`);
      return undefined;
    },
  },
  {
    // The reconciliation asks the provider every few seconds, in one process for all.
    name: 'payments',
    needed: false,
    probe: async () => {
      const failure = await lastFailureOf(pool, 'reconcile');
      if (failure) throw new Error(`no answer ${failure.tries} times: ${failure.reason}`);
      return undefined;
    },
  },
  {
    name: 'mail',
    needed: false,
    probe: async () => {
      const age = await oldestMail(pool);
      if (age > MAIL_IS_DOWN) throw new Error(`a mail has waited for ${Math.round(age / 60)} minutes`);
      return undefined;
    },
  },
];

const watchQueues = (metrics: Metrics, log: EventLog, pool: Pool): void => {
  metrics.watch('reactor_lag_events', () => policyLag(log, pool));
  metrics.watch('outbox_age_seconds', () => oldestMail(pool));
  metrics.watch('jobs_waiting', async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from app.job where due_at <= now()',
    );
    return rows[0]?.count ?? 0;
  });
  metrics.watch('unread_events', async () => (await eachUnread(pool)).length);
  metrics.watch('payments_unknown', () => countToDecide(pool, 'intent'));
  metrics.watch('jobs_failed', async () => (await failingJobs(pool)).length);
};

export const openCommandService = async (
  foundation: Foundation,
  options: CommandServiceOptions,
): Promise<CommandService> => {
  const { config, database, logger, log, metrics, clock, signer, printer, images } = foundation;
  await rememberTicketKey(database.pool, signer);
  const { pool } = database;
  await liftSequences(pool, log);
  const base = createCommandDeps(foundation);
  const payments = await openPayments({
    config,
    pool,
    log: log.id,
    origin: options.origin,
    onError: complaints(logger, 'the payment sandbox was interrupted'),
  });
  const gateway = options.gateway ?? payments.gateway;
  const holdFor = options.holdFor ?? config.holdFor;
  const purchases = createPurchases({
    ...base,
    gateway,
    holdFor,
    holdLimits: config.holdLimits,
  });
  const transport = transportOf(foundation);
  let work: Work | undefined;
  const deps: CommandApiDeps = {
    ...base,
    gateway,
    purchases,
    signer,
    images,
    wake: () => work?.wake(),
    ending: {
      endPurchases: (...of) => endPurchases(purchases, ...of),
      sayFarewell: (accountId) => sayFarewell({ outbox: base.outbox, log, pool }, accountId),
      sweeps: sweepsOf({ pool, transport }),
    },
  };

  const ending = new AbortController();
  const rush = createRush();
  const compose = createComposer({
    handler: base.handler,
    signer,
    printer,
    clock,
    baseUrl: config.baseUrl,
    from: config.mail.from,
  });

  watchQueues(metrics, log, pool);

  const running: { stop(): Promise<void> }[] = [];
  return {
    deps,
    checks: checksOf(log, pool),

    async install(app) {
      rush.watch(app);
      if (config.work !== 'only') commandRoutes(app, deps);
      await payments.mount(app);
    },

    async startWorking() {
      work = await startWork({
        ...base,
        purchases,
        holdFor,
        onExpired: metrics.holdsExpired,
        ...(options.reconcileEvery === undefined ? {} : { reconcileEvery: options.reconcileEvery }),
      });
      const mails = sendMails({
        pool,
        transport,
        compose,
        atOnce: config.mail.atOnce,
        // A process that serves purchases sends mails in quiet moments.
        ...(config.work === 'only' ? {} : { turn: () => rush.quietMoment(ending.signal) }),
        sent: (mail) => recordMailSent(base, mail),
        onFailure: ({ kind }, err) => logger.warn({ err, kind }, 'a mail could not be sent yet'),
        trouble: troubleWith(logger, 'fails, and is tried again', { task: 'mails' }),
      });
      const notified = listen({
        url: foundation.databaseUrl,
        channel: 'outbox',
        onNotify: mails.wake,
        onConnect: mails.wake,
      });
      const unfinished = complaints(logger, 'will be tried again', { task: 'erasures' });
      running.push(
        mails,
        { stop: () => notified.close() },
        // Streams outlive their session until this check.
        repeat(logger, 5 * MINUTE, 'sessions', () => base.sessions.sweep()),
        repeat(logger, HOUR, 'links in mails', () => base.mailTokens.sweep()),
        repeat(logger, HOUR, 'limits', () => base.limits.sweep()),
        repeat(logger, HOUR, 'replies', () => base.replies.sweep()),
        repeat(logger, 24 * HOUR, 'images', () => sweepImages(deps, new Date(clock().getTime() - 24 * HOUR))),
        repeat(logger, HOUR, 'webhooks', () => sweepWebhooks(pool)),
        repeat(logger, HOUR, 'messages to hooks', () => sweepDeliveries(pool)),
        startWebhooks(base),
        repeat(logger, 15 * SECOND, 'erasures', () => finishErasures(deps, unfinished)),
        repeat(logger, 24 * HOUR, 'visitor keys', () => destroyOldVisitorKeys(base.keys, clock())),
        repeat(logger, 24 * HOUR, 'support keys', () => destroyOldSupportKeys(base.keys, clock())),
      );
    },

    async stop() {
      // A sale may queue more mails than a shutdown has time for: leave them to the next start.
      ending.abort();
      await Promise.all([...running, ...(work ? [work] : [])].map((task) => task.stop()));
      await base.handler.drain();
      await transport.close();
    },
  };
};
