/** Gates that scan the same ticket at the same moment. */

import { TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import type { BookingFacts } from '#domain/booking/events.ts';
import type { ScanResult } from '#domain/contracts/tickets.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { call, signedIn } from '#tests/kit/http.ts';
import type { Sale } from '#tests/kit/prepared-sale.ts';
import { gather } from './evidence.ts';
import type { Site } from './site.ts';

/** The first page's code of a booking: it admits the whole party, once. */
export const tokenOf = (
  signer: TicketSigner,
  { bookingId, listingId, quote, startsAt }: BookingFacts,
): string =>
  signer.sign({
    ...{ bookingId, page: 1, listingId, quantity: quote.quantity, epoch: 0 },
    expiresAt: Math.floor((Date.parse(startsAt) + TICKET_LIFETIME_AFTER_START) / 1_000),
  });

/** What is wrong with what the gates were told of one ticket: exactly one may have let somebody in. */
export const judgeGates = (name: string, results: readonly ScanResult[]): readonly string[] => {
  const valid = results.filter((result) => result.valid);
  const wrong: string[] = [];
  if (valid.length !== 1) wrong.push(`${name}: ${valid.length} of ${results.length} gates said "valid"`);
  const first = valid[0];
  for (const result of results)
    if (!result.valid && (result.code !== 'TICKET_USED' || result.scannedAt !== first?.scannedAt))
      wrong.push(`${name}: refused as ${result.code}, scanned at ${result.scannedAt}`);
  return wrong;
};

/** Scans each of so many tickets of a sale (all, if it sold fewer) at so many gates at once, over all command-apis. */
export const scanInCrowds = async (
  site: Pick<Site, 'commands' | 'foundation'>,
  sale: Sale,
  { tickets, gates }: { readonly tickets: number; readonly gates: number },
): Promise<readonly string[]> => {
  const foundation = await site.foundation();
  try {
    const { bookings } = await gather(foundation, sale.listingId);
    const chosen = [...bookings.values()].slice(0, tickets);
    const wrong: string[] = [];
    const headers = { 'content-type': 'application/json', ...signedIn(sale.staff.token) };
    for (const facts of chosen) {
      const encryptedData = tokenOf(foundation.signer, facts);
      const replies = await Promise.all(
        Array.from({ length: gates }, (_, gate) => {
          const origin = site.commands[gate % site.commands.length] ?? '';
          const body = JSON.stringify({ encryptedData, gate: `Gate ${gate + 1}` });
          return call('POST', `${origin}/api/tickets/scan`, headers, body);
        }),
      );
      const refused = replies.filter(({ status }) => status !== 200);
      if (refused.length > 0)
        wrong.push(`booking ${facts.bookingId}: a gate was answered ${refused[0]?.status}`);
      const results = replies.filter(({ status }) => status === 200).map(({ body }) => body as ScanResult);
      wrong.push(...judgeGates(`booking ${facts.bookingId}`, results));
    }
    return wrong;
  } finally {
    await foundation.close();
  }
};
