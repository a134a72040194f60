import type { AdminEvent, CreatedEvent, CreateEventRequest } from './admin-events.ts';
import type { AdminCity, AdminVenue } from './admin-places.ts';
import type {
  CsrfToken,
  ForgotPasswordRequest,
  LoginRequest,
  Registered,
  RegisterRequest,
  ResetPasswordRequest,
  ResetTokenValid,
  SignedIn,
  TokenRequest,
  User,
} from './auth.ts';
import type {
  Booking,
  CancelBookingRequest,
  CancellationQuote,
  Cancelled,
  CreateBookingRequest,
  TrailEntry,
} from './bookings.ts';
import type { Category, City, Event, EventSummary } from './catalogue.ts';
import type { Said } from './envelope.ts';
import type { Subscribed, SubscribeRequest, UnsubscribeRequest } from './newsletter.ts';
import type { CreatePaymentIntentRequest, PaymentIntent } from './payments.ts';
import type { DeletionQuote, EnhanceProfileRequest } from './profile.ts';
import type { PromotionCheck, ValidatePromotionRequest } from './promotions.ts';
import type { AdminRefund, ProcessedRefund, ProcessRefundRequest, RefundStats } from './refunds.ts';
import type { SiteConfigEntry, StripeConfig } from './site.ts';
import type { SupportAnswer, SupportRequest } from './support.ts';
import type {
  GateEvent,
  RecentScan,
  RefusedScan,
  ScanRequest,
  ScanResult,
  TicketCheck,
  TicketKeys,
} from './tickets.ts';

/**
 * Every JSON call of the site: what is sent and what comes back. Types only, so it weighs nothing in the client;
 * it keeps the client's calls and both APIs' handlers to one agreement. Lists are bare arrays with `X-Total-Count`.
 */
export interface Calls {
  'GET /api/auth/csrf-token': { response: CsrfToken };
  'GET /api/auth/user': { response: User };
  'POST /api/auth/login': { body: LoginRequest; response: SignedIn };
  'POST /api/auth/register': { body: RegisterRequest; response: Registered };
  'POST /api/auth/forgot-password': { body: ForgotPasswordRequest; response: Said };
  'POST /api/auth/logout': { response: Said };
  'POST /api/auth/verify-email': { body: TokenRequest; response: Said };
  'POST /api/auth/resend-verification': { response: Said };
  'POST /api/auth/verify-reset-token': { body: TokenRequest; response: ResetTokenValid };
  'POST /api/auth/reset-password': { body: ResetPasswordRequest; response: Said };

  'PATCH /api/profile/enhance': { body: EnhanceProfileRequest; response: SignedIn & Said };
  'DELETE /api/profile': { response: Said };
  'GET /api/profile/deletion-quote': { response: DeletionQuote };

  'GET /api/site-config': { response: SiteConfigEntry[] };
  'GET /api/stripe-config': { response: StripeConfig };
  'GET /api/cities': { response: City[] };
  'GET /api/categories': { response: Category[] };
  'GET /api/events': { response: EventSummary[] };
  'GET /api/events/{id}': { response: Event };

  'POST /api/validate-promotion': { body: ValidatePromotionRequest; response: PromotionCheck };
  'POST /api/create-payment-intent': { body: CreatePaymentIntentRequest; response: PaymentIntent };
  'POST /api/bookings': { body: CreateBookingRequest; response: Booking };
  'GET /api/bookings': { response: Booking[] };
  'GET /api/bookings/{id}': { response: Booking };
  'GET /api/bookings/{id}/history': { response: TrailEntry[] };
  'GET /api/bookings/{id}/cancellation': { response: CancellationQuote };
  'POST /api/bookings/cancel': { body: CancelBookingRequest; response: Cancelled };

  'POST /api/tickets/scan': { body: ScanRequest; response: ScanResult };
  'GET /api/tickets/gates': { response: GateEvent[] };
  'GET /api/tickets/recent-scans': { response: RecentScan[] };
  'GET /api/tickets/refused-scans': { response: RefusedScan[] };
  'GET /api/tickets/verify/{token}': { response: TicketCheck };
  'GET /.well-known/ticket-keys.json': { response: TicketKeys };

  'POST /api/newsletter/subscribe': { body: SubscribeRequest; response: Subscribed };
  'POST /api/newsletter/unsubscribe': { body: UnsubscribeRequest; response: Said };
  'POST /api/contact-support': { body: SupportRequest; response: SupportAnswer };

  'GET /api/admin/events': { response: AdminEvent[] };
  'POST /api/admin/events': { body: CreateEventRequest; response: CreatedEvent };
  'GET /api/admin/cities': { response: AdminCity[] };
  'GET /api/admin/venues': { response: AdminVenue[] };
  'GET /api/admin/venues/by-city/{cityId}': { response: AdminVenue[] };
  'GET /api/admin/refunds': { response: AdminRefund[] };
  'GET /api/admin/refunds/stats': { response: RefundStats };
  'POST /api/admin/refunds/{id}/process': { body: ProcessRefundRequest; response: ProcessedRefund };
}

/** A call's name: its method and its path. */
export type Call = keyof Calls;

/** What a call sends; `undefined` where it has no body. */
export type BodyOf<C extends Call> = Calls[C] extends { body: infer Body } ? Body : undefined;

/** What a call answers. */
export type ResponseOf<C extends Call> = Calls[C]['response'];

/** The names of a path's parameters: `'/api/bookings/{id}/history'` → `'id'`. */
export type ParamsOf<C extends string> = C extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;
