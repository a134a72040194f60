import type { Foundation } from '#infra/foundation/foundation.ts';
import type { App } from '#infra/http/server.ts';
import { followSessionEndings } from '#infra/http/session-endings.ts';
import { rememberTicketKey } from '#infra/keys/prove-ticket-key.ts';
import { createUnsubscribeLinks } from '#infra/mail/unsubscribe-links.ts';
import type { Check } from '#infra/observability/operations.ts';
import { openPayments } from '#infra/payments/open.ts';
import { followReadModels } from '#infra/read-models/progress.ts';
import { outdatedTables, readModels } from '#infra/read-models/read-models.ts';
import { installQueryApi } from './server.ts';

export interface QueryService {
  install(app: App): Promise<void>;
  readonly checks: readonly Check[];
  stop(): Promise<void>;
}

export const openQueryService = async (foundation: Foundation): Promise<QueryService> => {
  const {
    database,
    databaseUrl,
    config,
    clock,
    log,
    codec,
    keys,
    sessions,
    images,
    signer,
    checkpointSigner,
    printer,
    secrets,
    metrics,
  } = foundation;
  await rememberTicketKey(database.pool, signer);
  const progress = followReadModels({ pool: database.pool, url: databaseUrl });
  const endings = followSessionEndings(databaseUrl);
  return {
    install: async (app) => {
      const { publishableKey, mode, testPayments } = await openPayments({
        config,
        pool: database.pool,
        origin: () => config.baseUrl,
      });
      await installQueryApi(app, {
        config,
        payments: { publishableKey, mode, testPayments },
        clock,
        db: readModels(database.pool),
        pool: database.pool,
        log,
        codec,
        keys,
        progress,
        sessions,
        endings,
        images,
        signer,
        checkpointSigner,
        printer,
        unsubscribeLinks: createUnsubscribeLinks(secrets.emailClaims, config.baseUrl),
        metrics,
      });
    },
    checks: [
      {
        name: 'read models',
        needed: true,
        probe: async () => {
          const outdated = await outdatedTables(database.pool);
          if (outdated.length > 0)
            throw new Error(`until a rebuild is done, an older version’s ${outdated.join(', ')}`);
          return `at ${(await progress.current()).position || 'the beginning'}`;
        },
      },
    ],
    async stop() {
      await Promise.all([progress.close(), endings.close()]);
    },
  };
};
