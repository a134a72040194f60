/**
 * The query API: everything that people see, read from the read models. It decides nothing. What it must record (a
 * ticket downloaded) goes into streams that nobody decides on.
 */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import type { StripeConfig } from '#domain/contracts/site.ts';
import type { Clock } from '#infra/clock.ts';
import type { Config } from '#infra/config.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { installMinPosition, type Visibility } from '#infra/http/position.ts';
import type { App } from '#infra/http/server.ts';
import type { ImageStore } from '#infra/images/image-store.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import type { Metrics } from '#infra/observability/metrics.ts';
import type { ReadProgress } from '#infra/read-models/progress.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { type Live, openLive } from './live/live.ts';
import { liveRoutes } from './live/sse.ts';
import { accountRoutes } from './routes/account.ts';
import { adminEventRoutes } from './routes/admin/events.ts';
import { adminPlaceRoutes } from './routes/admin/places.ts';
import { adminRefundRoutes } from './routes/admin/refunds.ts';
import { bookingRoutes } from './routes/bookings.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { doorRoutes } from './routes/door.ts';
import { imageRoutes } from './routes/images.ts';
import { siteRoutes } from './routes/site.ts';
import { ticketRoutes } from './routes/tickets.ts';

/** What the queries need from outside. */
export interface QueryDeps {
  readonly config: Pick<Config, 'baseUrl'>;
  /** What `GET /api/stripe-config` says. */
  readonly payments: StripeConfig;
  readonly clock: Clock;
  readonly db: Kysely<ReadModels>;
  readonly log: EventLog;
  readonly codec: Codec;
  /** Opens what rows keep sealed. */
  readonly keys: KeyStore;
  /** How far the read models are. */
  readonly progress: ReadProgress;
  readonly images: ImageStore;
  readonly signer: TicketSigner;
  readonly metrics: Pick<Metrics, 'watch'>;
}

/** What the routes share, besides what came from outside. */
export interface QueryContext extends QueryDeps {
  readonly live: Live;
  readonly visibility: Visibility;
}

/** Registers every query, and the live stream that follows the log until the server closes. */
export const installQueryApi = async (app: App, deps: QueryDeps): Promise<void> => {
  const { progress, log } = deps;
  const visibility: Visibility = {
    current: () => progress.position(),
    reached: (position, withinMs) => progress.waitFor(position, withinMs),
  };
  const live = openLive({
    db: deps.db,
    progress,
    token: (position) => toToken(log.id, position),
    onError: (error) => app.log.warn({ err: error }, 'a live update was missed'),
  });
  deps.metrics.watch('live_clients', () => live.listeners);
  app.addHook('preClose', () => live.close());
  const context: QueryContext = { ...deps, live, visibility };
  await app.register(async (scope) => {
    installMinPosition(scope, log.id, visibility);
    const typed: App = scope.withTypeProvider<ZodTypeProvider>();
    catalogueRoutes(typed, context);
    siteRoutes(typed, context);
    accountRoutes(typed, context);
    bookingRoutes(typed, context);
    ticketRoutes(typed, context);
    doorRoutes(typed, context);
    adminEventRoutes(typed, context);
    adminPlaceRoutes(typed, context);
    adminRefundRoutes(typed, context);
    imageRoutes(typed, context);
    liveRoutes(typed, context);
  });
};
