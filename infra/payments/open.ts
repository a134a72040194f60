import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { paymentCalls } from '#domain/contracts/payments.ts';
import type { Config } from '#infra/config/config.ts';
import type { PaymentGateway } from './gateway.ts';
import { sandboxAccount } from './sandbox/account.ts';
import { SANDBOX_PATH, sandboxPlugin } from './sandbox/plugin.ts';
import { stripeGateway } from './stripe.ts';

export interface Payments {
  readonly gateway: PaymentGateway;
  readonly publishableKey: string;
  readonly mode: 'stripe' | 'sandbox';
  readonly testPayments: boolean;
  mount(app: FastifyInstance): Promise<void>;
}

export interface OpenPaymentsOptions {
  readonly config: Pick<Config, 'payments' | 'stripe' | 'production'>;
  readonly pool: Pool;
  readonly log?: string;
  /** command-api's address. Called at each use, since the port may be chosen late. */
  origin(): string;
  onError?(error: unknown): void;
}

export const openPayments = async ({
  config,
  pool,
  log,
  origin,
  onError,
}: OpenPaymentsOptions): Promise<Payments> => {
  const { stripe } = config;
  const noted = log === undefined ? {} : { log };
  if (config.payments === 'stripe' && stripe) {
    return {
      gateway: stripeGateway({ ...stripe, ...noted }),
      publishableKey: stripe.publishableKey,
      mode: 'stripe',
      testPayments: stripe.publishableKey.startsWith('pk_test_'),
      mount: async () => undefined,
    };
  }
  const account = await sandboxAccount(pool);
  return {
    gateway: stripeGateway({ ...account, ...noted, api: () => new URL(SANDBOX_PATH, origin()) }),
    publishableKey: account.publishableKey,
    mode: 'sandbox',
    testPayments: true,
    mount: (app) =>
      sandboxPlugin(app, {
        pool,
        webhookUrl: () => `${origin()}${paymentCalls.webhook.path}`,
        production: config.production,
        // In production `readConfig` accepts it only if PAYMENTS names it.
        wanted: config.payments === 'sandbox',
        ...(onError ? { onError } : {}),
      }),
  };
};
