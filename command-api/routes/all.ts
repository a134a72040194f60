import { adminBookingRoutes } from './admin/bookings.ts';
import { adminCategoryRoutes } from './admin/categories.ts';
import { adminEmailTemplateRoutes } from './admin/email-templates.ts';
import { adminEventRoutes } from './admin/events.ts';
import { adminFailureRoutes } from './admin/failures.ts';
import { adminImageRoutes } from './admin/images.ts';
import { adminPlaceRoutes } from './admin/places.ts';
import { adminProjectionRoutes } from './admin/projections.ts';
import { adminPromotionRoutes } from './admin/promotions.ts';
import { refundRoutes } from './admin/refunds.ts';
import { adminSiteRoutes } from './admin/site.ts';
import { adminSponsorRoutes } from './admin/sponsors.ts';
import { adminUserRoutes } from './admin/users.ts';
import { adminWebhookRoutes } from './admin/webhooks.ts';
import { authRoutes } from './auth.ts';
import { bookingRoutes } from './bookings.ts';
import { logCheckRoutes } from './log-check.ts';
import { newsletterRoutes } from './newsletter.ts';
import { paymentRoutes } from './payments.ts';
import { profileRoutes } from './profile.ts';
import { promotionRoutes } from './promotions.ts';
import { scanRoutes } from './scan.ts';
import { securityRoutes } from './security.ts';
import { supportRoutes } from './support.ts';
import { waitingRoutes } from './waiting.ts';

export const routes = [
  authRoutes,
  profileRoutes,
  securityRoutes,
  promotionRoutes,
  paymentRoutes,
  bookingRoutes,
  waitingRoutes,
  scanRoutes,
  newsletterRoutes,
  supportRoutes,
  logCheckRoutes,
  adminBookingRoutes,
  adminEmailTemplateRoutes,
  adminEventRoutes,
  adminFailureRoutes,
  adminProjectionRoutes,
  adminWebhookRoutes,
  adminImageRoutes,
  adminPlaceRoutes,
  adminPromotionRoutes,
  adminCategoryRoutes,
  refundRoutes,
  adminSiteRoutes,
  adminSponsorRoutes,
  adminUserRoutes,
];
