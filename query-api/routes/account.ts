import { toUser } from '#domain/account/answer.ts';
import { toCancellationQuote } from '#domain/booking/answer.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { percentOf, toDecimal } from '#domain/money.ts';
import { Refusal } from '#domain/refusal.ts';
import { LONGEST_WAIT } from '#infra/http/position.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { secondFactorStatus } from '#infra/identity/second-factors.ts';
import type { QueryContext } from '#query-api/context.ts';
import { findAccount, userParts } from '#query-api/queries/accounts.ts';
import { bookingParts, bookings } from '#query-api/queries/bookings.ts';

/** Who is signed in, where, and what deleting the account would cancel. */
export const accountRoutes = (app: App, context: QueryContext): void => {
  const { config, db, pool, clock, log, sessions, visibility } = context;
  route(app, profileCalls.deletionQuote, async ({ principal }) => {
    const rows = await bookings(db)
      .where('b.user_id', '=', principal.accountId)
      .where('b.status', '=', 'confirmed')
      .where('l.starts_at', '>', clock().toISOString())
      .orderBy('l.starts_at')
      .execute();
    const quoted = rows.flatMap((row) => {
      const quote = toCancellationQuote(bookingParts(row), clock());
      return quote.cancellable ? [{ row, quote, refund: percentOf(row.total, quote.percent) }] : [];
    });
    return {
      bookings: quoted.map(({ row, quote }) => ({
        id: row.id,
        reference: row.reference,
        title: row.title,
        startsAt: row.starts_at,
        zone: row.zone,
        refundPercent: quote.percent,
        refundAmount: quote.refundAmount,
      })),
      refundTotal: toDecimal(quoted.reduce((sum, { refund }) => sum + refund, 0)),
    };
  });

  route(app, securityCalls.sessions, async ({ principal: { accountId, sessionId } }) => {
    const listed = await sessions.list(accountId, sessionId);
    return listed.map(({ firstSeen, lastSeen, ...session }) => ({
      ...session,
      firstSeenAt: firstSeen.toISOString(),
      lastSeenAt: lastSeen.toISOString(),
    }));
  });

  route(app, securityCalls.secondFactor, async ({ principal: { accountId, role, withheldRole = role } }) => ({
    ...(await secondFactorStatus(pool, accountId)),
    required: config.secondFactorRequired && withheldRole !== 'user',
  }));

  /** Waits for the read models: who has a session has an account, unless it has just been erased. */
  const findLater = async (accountId: string) => {
    const there = await visibility.reached(await log.head(), LONGEST_WAIT);
    const row = await findAccount(db, accountId);
    if (!row && !there) throw new Refusal('UNAVAILABLE');
    return row;
  };

  route(app, authCalls.user, async ({ principal: { accountId, withheldRole } }) => {
    const row = (await findAccount(db, accountId)) ?? (await findLater(accountId));
    if (!row) throw new Refusal('NOT_SIGNED_IN');
    return { ...toUser(userParts(row)), ...(withheldRole && { needsSecondFactor: true }) };
  });
};
