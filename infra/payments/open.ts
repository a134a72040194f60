/** The payment provider that the configuration names. */
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Config } from '#infra/config.ts';
import type { PaymentGateway } from './gateway.ts';
import { sandboxAccount } from './sandbox/account.ts';
import { SANDBOX_PATH, sandboxPlugin } from './sandbox/plugin.ts';
import { stripeGateway } from './stripe.ts';

/** Where the provider's webhooks go. */
export const WEBHOOK_PATH = '/api/stripe/webhook';

/** The opened provider, and what the client must know of it. */
export interface Payments {
  readonly gateway: PaymentGateway;
  /** For `GET /api/stripe-config`. */
  readonly publishableKey: string;
  readonly mode: 'stripe' | 'sandbox';
  /** No real money moves: the banner "Test payments". */
  readonly testPayments: boolean;
  /** Serves the sandbox from this server, where it is used; does nothing otherwise. Call it before it listens. */
  mount(app: FastifyInstance): Promise<void>;
}

export interface OpenPaymentsOptions {
  readonly config: Pick<Config, 'payments' | 'stripe' | 'production'>;
  readonly pool: Pool;
  /**
   * Where command-api listens, for the sandbox and its webhooks, such as `http://127.0.0.1:3000`; asked when needed,
   * since a port may be known only then. Not used with the provider itself.
   */
  origin(): string;
  onError?(error: unknown): void;
}

/** Opens the provider, or the sandbox with the account of this database. */
export const openPayments = async ({
  config,
  pool,
  origin,
  onError,
}: OpenPaymentsOptions): Promise<Payments> => {
  const { stripe } = config;
  if (config.payments === 'stripe' && stripe) {
    return {
      gateway: stripeGateway(stripe),
      publishableKey: stripe.publishableKey,
      mode: 'stripe',
      testPayments: stripe.publishableKey.startsWith('pk_test_'),
      mount: async () => undefined,
    };
  }
  const account = await sandboxAccount(pool);
  return {
    gateway: stripeGateway({ ...account, api: () => new URL(SANDBOX_PATH, origin()) }),
    publishableKey: account.publishableKey,
    mode: 'sandbox',
    testPayments: true,
    mount: (app) =>
      sandboxPlugin(app, {
        pool,
        webhookUrl: () => `${origin()}${WEBHOOK_PATH}`,
        production: config.production,
        // Reading the configuration demands it in production.
        wanted: config.payments === 'sandbox',
        ...(onError ? { onError } : {}),
      }),
  };
};
