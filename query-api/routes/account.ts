import { Readable } from 'node:stream';
import { toUser } from '#domain/answers/accounts.ts';
import { toCancellationQuote } from '#domain/answers/bookings.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { percentOf, toDecimal } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { LONGEST_WAIT } from '#infra/http/position.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { secondFactorStatus } from '#infra/identity/second-factors.ts';
import { receiptOf } from '#infra/keys/erasure-receipt.ts';
import { logIndexVisibility } from '#infra/read-models/log-index.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { findAccount, userParts } from '#query-api/queries/accounts.ts';
import { bookingParts, bookings } from '#query-api/queries/bookings.ts';
import { personalData } from '#query-api/queries/personal-data.ts';
import { recordExport } from './record.ts';

interface ErasureRow {
  readonly receipt: string;
  readonly asked_at: Date;
  readonly done_at: Date | null;
  readonly cleaned_at: Date | null;
  readonly counts: { readonly sessions?: number; readonly mails?: number; readonly bookings?: number } | null;
}

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
      receipt: receiptOf(principal.accountId),
    };
  });

  route(app, profileCalls.erasureReceipt, async ({ params }) => {
    const { rows } = await pool.query<ErasureRow>(
      'select receipt, asked_at, done_at, cleaned_at, counts from app.erasure where receipt = $1',
      [params.receipt],
    );
    const [row] = rows;
    if (!row) throw new Refusal('NOT_FOUND');
    const { sessions = 0, mails = 0, bookings: kept = 0 } = row.counts ?? {};
    const waiting = config.databaseUrl ? ('by-operator' as const) : ('being-cleaned' as const);
    const files = row.cleaned_at ? ('clean' as const) : waiting;
    return {
      id: row.receipt,
      askedAt: row.asked_at.toISOString(),
      erasedAt: row.done_at?.toISOString() ?? null,
      destroyed: { sessions, mails },
      kept: { bookings: kept },
      files,
      cleanedAt: row.cleaned_at?.toISOString() ?? null,
    };
  });

  const index = logIndexVisibility(pool);
  route(app, profileCalls.export, async (request, reply) => {
    const { accountId } = request.principal;
    await recordExport(context, request, { what: 'own-data', rows: 1 });
    await index.reached(await log.head(), LONGEST_WAIT);
    reply
      .type('application/json; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="my-data-${clock().toISOString().slice(0, 10)}.json"`,
      )
      .header('cache-control', 'private, no-store');
    return Readable.from(personalData(context, accountId));
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

  /** A session implies an account unless it was just erased: wait for the read models. */
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
