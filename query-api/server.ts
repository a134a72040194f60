/**
 * The query API. It answers from the read models and decides nothing. What it records, such as a ticket that was downloaded,
 * goes into streams that no decision reads.
 */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { installMinPosition, type Visibility } from '#infra/http/position.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext, QueryDeps } from './context/context.ts';
import { openLive } from './live/live.ts';
import { accountRoutes } from './routes/account.ts';
import { adminAnalyticsRoutes } from './routes/admin/analytics.ts';
import { adminAuditTrailRoutes } from './routes/admin/audit-trail.ts';
import { adminBookingRoutes } from './routes/admin/bookings.ts';
import { adminCategoryRoutes } from './routes/admin/categories.ts';
import { adminDashboardRoutes } from './routes/admin/dashboard.ts';
import { adminDisputeRoutes } from './routes/admin/disputes.ts';
import { adminEmailTemplateRoutes } from './routes/admin/email-templates.ts';
import { adminEventRoutes } from './routes/admin/events.ts';
import { adminFailureRoutes } from './routes/admin/failures.ts';
import { adminHookRoutes } from './routes/admin/hooks.ts';
import { adminImageRoutes } from './routes/admin/images.ts';
import { adminNewsletterRoutes } from './routes/admin/newsletter.ts';
import { adminPlaceRoutes } from './routes/admin/places.ts';
import { adminProjectionRoutes } from './routes/admin/projections.ts';
import { adminPromotionRoutes } from './routes/admin/promotions.ts';
import { adminRefundRoutes } from './routes/admin/refunds.ts';
import { adminSetupRoutes } from './routes/admin/setup.ts';
import { adminSiteRoutes } from './routes/admin/site.ts';
import { adminUserRoutes } from './routes/admin/users.ts';
import { auditRoutes } from './routes/audit.ts';
import { bookingRoutes } from './routes/bookings.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { doorRoutes } from './routes/door.ts';
import { imageRoutes } from './routes/images.ts';
import { adminLiveRoutes } from './routes/live/admin-live.ts';
import { logTailRoutes } from './routes/live/log-tail.ts';
import { liveRoutes } from './routes/live/sse.ts';
import { pageRoutes } from './routes/pages.ts';
import { proofRoutes } from './routes/proofs.ts';
import { replayRoutes } from './routes/replay.ts';
import { scanRoutes } from './routes/scans.ts';
import { siteRoutes } from './routes/site.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { waitingRoutes } from './routes/waiting.ts';

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
  // The log has an index of its own, and with it a position of its own.
  await app.register(async (scope) => auditRoutes(scope.withTypeProvider<ZodTypeProvider>(), context));
  await app.register(async (scope) => replayRoutes(scope.withTypeProvider<ZodTypeProvider>(), context));
  await app.register(async (scope) => pageRoutes(scope.withTypeProvider<ZodTypeProvider>(), context));
  await app.register(async (scope) => imageRoutes(scope.withTypeProvider<ZodTypeProvider>(), context));
  await app.register(async (scope) => {
    installMinPosition(scope, log, visibility);
    const typed: App = scope.withTypeProvider<ZodTypeProvider>();
    catalogueRoutes(typed, context);
    siteRoutes(typed, context);
    accountRoutes(typed, context);
    bookingRoutes(typed, context);
    waitingRoutes(typed, context);
    ticketRoutes(typed, context);
    proofRoutes(typed, context);
    scanRoutes(typed, context);
    adminBookingRoutes(typed, context);
    adminDisputeRoutes(typed, context);
    adminEmailTemplateRoutes(typed, context);
    doorRoutes(typed, context);
    adminEventRoutes(typed, context);
    adminFailureRoutes(typed, context);
    adminHookRoutes(typed, context);
    adminImageRoutes(typed, context);
    adminAnalyticsRoutes(typed, context);
    adminAuditTrailRoutes(typed, context);
    adminDashboardRoutes(typed, context);
    adminPlaceRoutes(typed, context);
    adminProjectionRoutes(typed, context);
    adminPromotionRoutes(typed, context);
    adminCategoryRoutes(typed, context);
    adminRefundRoutes(typed, context);
    adminSetupRoutes(typed, context);
    adminSiteRoutes(typed, context);
    adminUserRoutes(typed, context);
    adminNewsletterRoutes(typed, context);
    liveRoutes(typed, context);
    adminLiveRoutes(typed, context);
    logTailRoutes(typed, context);
  });
};
