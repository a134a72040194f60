import { admit, recordOffline, type ScanDeps, scan } from '#command-api/door/scan.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import { may } from '#domain/contracts/capabilities.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';

export const scanRoutes = (app: App, deps: ScanDeps): void => {
  const change = changesOn(app, deps);

  change(ticketCalls.scan, ({ body, principal }, { acting }) =>
    scan(deps, body, principal.accountId, acting),
  );

  change(ticketCalls.admit, ({ body, principal }, { acting }) =>
    admit(deps, body, principal.accountId, acting),
  );

  change(ticketCalls.offlineScans, ({ body, principal }, { acting }) => {
    const sent = { by: principal.accountId, received: deps.clock().getTime() };
    return recordOffline(deps, body.scans, sent, acting);
  });

  change(ticketCalls.undoScan, async ({ body, principal }, { acting }) => {
    const { state } = await deps.handler.state(booking, body.bookingId);
    if (!state.facts) throw new Refusal('BOOKING_NOT_FOUND');
    const { userId, listingId } = state.facts;
    await acting.do(admission, body.bookingId, {
      type: 'Undo',
      ...body,
      ...{ userId, listingId, by: { id: principal.accountId }, at: acting.context.at },
      anybodys: may(principal.role, 'undo-any-scan'),
    });
    return { message: 'The scan is undone. The ticket admits again.' };
  });
};
