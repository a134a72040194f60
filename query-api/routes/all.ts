import { accountRoutes } from './account.ts';
import { adminAnalyticsRoutes } from './admin/analytics.ts';
import { adminAuditTrailRoutes } from './admin/audit-trail.ts';
import { adminBookingRoutes } from './admin/bookings.ts';
import { adminCategoryRoutes } from './admin/categories.ts';
import { adminDashboardRoutes } from './admin/dashboard.ts';
import { adminDisputeRoutes } from './admin/disputes.ts';
import { adminEmailTemplateRoutes } from './admin/email-templates.ts';
import { adminEventRoutes } from './admin/events.ts';
import { adminFailureRoutes } from './admin/failures.ts';
import { adminImageRoutes } from './admin/images.ts';
import { adminNewsletterRoutes } from './admin/newsletter.ts';
import { adminPlaceRoutes } from './admin/places.ts';
import { adminProjectionRoutes } from './admin/projections.ts';
import { adminPromotionRoutes } from './admin/promotions.ts';
import { adminRefundRoutes } from './admin/refunds.ts';
import { adminSetupRoutes } from './admin/setup.ts';
import { adminSiteRoutes } from './admin/site.ts';
import { adminUserRoutes } from './admin/users.ts';
import { adminWebhookRoutes } from './admin/webhooks.ts';
import { auditRoutes } from './audit.ts';
import { bookingRoutes } from './bookings.ts';
import { catalogueRoutes } from './catalogue.ts';
import { doorRoutes } from './door.ts';
import { imageRoutes } from './images.ts';
import { adminLiveRoutes } from './live/admin-live.ts';
import { logTailRoutes } from './live/log-tail.ts';
import { liveRoutes } from './live/sse.ts';
import { pageRoutes } from './pages.ts';
import { proofRoutes } from './proofs.ts';
import { replayRoutes } from './replay.ts';
import { scanRoutes } from './scans.ts';
import { siteRoutes } from './site.ts';
import { sponsorRoutes } from './sponsors.ts';
import { ticketRoutes } from './tickets.ts';
import { waitingRoutes } from './waiting.ts';

/** They wait for the position in the request (`installMinPosition`). */
export const routes = [
  catalogueRoutes,
  siteRoutes,
  sponsorRoutes,
  accountRoutes,
  bookingRoutes,
  waitingRoutes,
  ticketRoutes,
  proofRoutes,
  scanRoutes,
  adminBookingRoutes,
  adminDisputeRoutes,
  adminEmailTemplateRoutes,
  doorRoutes,
  adminEventRoutes,
  adminFailureRoutes,
  adminWebhookRoutes,
  adminImageRoutes,
  adminAnalyticsRoutes,
  adminAuditTrailRoutes,
  adminDashboardRoutes,
  adminPlaceRoutes,
  adminProjectionRoutes,
  adminPromotionRoutes,
  adminCategoryRoutes,
  adminRefundRoutes,
  adminSetupRoutes,
  adminSiteRoutes,
  adminUserRoutes,
  adminNewsletterRoutes,
  liveRoutes,
  adminLiveRoutes,
  logTailRoutes,
];

export const routesWithoutPosition = [auditRoutes, replayRoutes, pageRoutes, imageRoutes];
