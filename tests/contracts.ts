/** What each call's answer has to look like, for specs that hold the APIs to the contracts. */
import * as z from 'zod/mini';
import { adminEvent, createdEvent } from '#domain/contracts/admin-events.ts';
import { adminCity, adminVenue } from '#domain/contracts/admin-places.ts';
import { user } from '#domain/contracts/auth.ts';
import { booking, cancellationQuote, cancelled, trailEntry } from '#domain/contracts/bookings.ts';
import type { Call, ResponseOf } from '#domain/contracts/calls.ts';
import { category, city, event, eventSummary } from '#domain/contracts/catalogue.ts';
import { said } from '#domain/contracts/envelope.ts';
import { subscribed } from '#domain/contracts/newsletter.ts';
import { paymentIntent } from '#domain/contracts/payments.ts';
import { deletionQuote } from '#domain/contracts/profile.ts';
import { promotionCheck } from '#domain/contracts/promotions.ts';
import { adminRefund, processedRefund, refundStats } from '#domain/contracts/refunds.ts';
import { siteConfigEntry, stripeConfig } from '#domain/contracts/site.ts';
import { supportAnswer } from '#domain/contracts/support.ts';
import {
  gateEvent,
  recentScan,
  refusedScan,
  scanResult,
  ticketCheck,
  ticketKeys,
} from '#domain/contracts/tickets.ts';

const signedIn = z.object({ user });

/** The schema of every call's answer. A call without one does not typecheck. */
export const answers: { readonly [C in Call]: z.ZodMiniType<ResponseOf<C>> } = {
  'GET /api/auth/csrf-token': z.object({ csrfToken: z.string().check(z.minLength(16)) }),
  'GET /api/auth/user': user,
  'POST /api/auth/login': signedIn,
  'POST /api/auth/register': z.object({ user, message: z.string(), requiresEmailVerification: z.boolean() }),
  'POST /api/auth/forgot-password': said(),
  'POST /api/auth/logout': said(),
  'POST /api/auth/verify-email': said(),
  'POST /api/auth/resend-verification': said(),
  'POST /api/auth/verify-reset-token': z.object({ message: z.string(), valid: z.literal(true) }),
  'POST /api/auth/reset-password': said(),
  'PATCH /api/profile/enhance': z.object({ user, message: z.string() }),
  'DELETE /api/profile': said(),
  'GET /api/profile/deletion-quote': deletionQuote,
  'GET /api/site-config': z.array(siteConfigEntry),
  'GET /api/stripe-config': stripeConfig,
  'GET /api/cities': z.array(city),
  'GET /api/categories': z.array(category),
  'GET /api/events': z.array(eventSummary),
  'GET /api/events/{id}': event,
  'POST /api/validate-promotion': promotionCheck,
  'POST /api/create-payment-intent': paymentIntent,
  'POST /api/bookings': booking,
  'GET /api/bookings': z.array(booking),
  'GET /api/bookings/{id}': booking,
  'GET /api/bookings/{id}/history': z.array(trailEntry),
  'GET /api/bookings/{id}/cancellation': cancellationQuote,
  'POST /api/bookings/cancel': cancelled,
  'POST /api/tickets/scan': scanResult,
  'GET /api/tickets/gates': z.array(gateEvent),
  'GET /api/tickets/recent-scans': z.array(recentScan),
  'GET /api/tickets/refused-scans': z.array(refusedScan),
  'GET /api/tickets/verify/{token}': ticketCheck,
  'GET /.well-known/ticket-keys.json': ticketKeys,
  'POST /api/newsletter/subscribe': subscribed,
  'POST /api/newsletter/unsubscribe': said(),
  'POST /api/contact-support': supportAnswer,
  'GET /api/admin/events': z.array(adminEvent),
  'POST /api/admin/events': createdEvent,
  'GET /api/admin/cities': z.array(adminCity),
  'GET /api/admin/venues': z.array(adminVenue),
  'GET /api/admin/venues/by-city/{cityId}': z.array(adminVenue),
  'GET /api/admin/refunds': z.array(adminRefund),
  'GET /api/admin/refunds/stats': refundStats,
  'POST /api/admin/refunds/{id}/process': processedRefund,
};

/** The answer, once it is what the contract says. @throws ZodError */
export const answerOf = <C extends Call>(call: C, body: unknown): ResponseOf<C> =>
  z.parse(answers[call], body);
