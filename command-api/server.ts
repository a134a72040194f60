/** The command API: every call that changes something, and the two GETs that belong to them. */
import type { App } from '#infra/http/server.ts';
import type { ImageStore } from '#infra/images/image-store.ts';
import type { PaymentGateway } from '#infra/payments/gateway.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import type { AccountEnding, CommandDeps } from './deps/deps.ts';
import type { Purchases } from './purchase/purchases.ts';
import { adminBookingRoutes } from './routes/admin/bookings.ts';
import { adminCategoryRoutes } from './routes/admin/categories.ts';
import { adminEmailTemplateRoutes } from './routes/admin/email-templates.ts';
import { adminEventRoutes } from './routes/admin/events.ts';
import { adminFailureRoutes } from './routes/admin/failures.ts';
import { adminHookRoutes } from './routes/admin/hooks.ts';
import { adminImageRoutes } from './routes/admin/images.ts';
import { adminPlaceRoutes } from './routes/admin/places.ts';
import { adminProjectionRoutes } from './routes/admin/projections.ts';
import { adminPromotionRoutes } from './routes/admin/promotions.ts';
import { refundRoutes } from './routes/admin/refunds.ts';
import { adminSiteRoutes } from './routes/admin/site.ts';
import { adminUserRoutes } from './routes/admin/users.ts';
import { authRoutes } from './routes/auth.ts';
import { bookingRoutes } from './routes/bookings.ts';
import { logCheckRoutes } from './routes/log-check.ts';
import { newsletterRoutes } from './routes/newsletter.ts';
import { paymentRoutes } from './routes/payments.ts';
import { profileRoutes } from './routes/profile.ts';
import { promotionRoutes } from './routes/promotions.ts';
import { scanRoutes } from './routes/scan.ts';
import { securityRoutes } from './routes/security.ts';
import { supportRoutes } from './routes/support.ts';
import { waitingRoutes } from './routes/waiting.ts';

/** What the routes need beside the command side itself. */
export interface CommandApiDeps extends CommandDeps {
  readonly ending: AccountEnding;
  readonly purchases: Purchases;
  readonly gateway: PaymentGateway;
  readonly signer: TicketSigner;
  readonly images: ImageStore;
  /** There may be a job that is due. */
  wake(): void;
}

/** Adds the command API's routes to a server: its own, or the one that all share in the all-in-one start. */
export const commandRoutes = (app: App, deps: CommandApiDeps): void => {
  authRoutes(app, deps);
  profileRoutes(app, deps);
  securityRoutes(app, deps);
  promotionRoutes(app, deps);
  paymentRoutes(app, deps);
  bookingRoutes(app, deps);
  waitingRoutes(app, deps);
  scanRoutes(app, deps);
  newsletterRoutes(app, deps);
  supportRoutes(app, deps);
  logCheckRoutes(app, deps);
  adminBookingRoutes(app, deps);
  adminEmailTemplateRoutes(app, deps);
  adminEventRoutes(app, deps);
  adminFailureRoutes(app, deps);
  adminProjectionRoutes(app, deps);
  adminHookRoutes(app, deps);
  adminImageRoutes(app, deps);
  adminPlaceRoutes(app, deps);
  adminPromotionRoutes(app, deps);
  adminCategoryRoutes(app, deps);
  refundRoutes(app, deps);
  adminSiteRoutes(app, deps);
  adminUserRoutes(app, deps);
};
