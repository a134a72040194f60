/** What the product rightly leaves to a person: somebody paid a booking back at the provider itself, and it stands. */
import { type FailingJob, toDecide } from '#command-api/jobs/jobs.ts';
import { booking } from '#domain/booking/booking.ts';
import type { Target } from './target.ts';

/** A payment of which everything was paid back, some of it by hand. */
interface PaidBack {
  readonly bookingId: number;
  /** Whether its booking is confirmed all the same. */
  readonly stands: boolean;
}

/** Such payments, by their intent, as the provider and the log have them. */
export const paidBackByHand = async ({
  foundation,
  deps,
}: Pick<Target, 'foundation' | 'deps'>): Promise<ReadonlyMap<string, PaidBack>> => {
  const { rows } = await foundation.database.pool.query<{ id: string; booking: string }>(
    `select i.id, i.metadata->>'bookingId' as booking
       from app.sandbox_intent i join app.sandbox_refund r on r.intent_id = i.id
      where i.metadata->>'bookingId' ~ '^[0-9]{1,9}$'
      group by i.id
     having sum(r.amount) >= i.amount and bool_or(coalesce(r.metadata->>'bookingId', '') !~ '^[0-9]+$')`,
  );
  const found = rows.map(async (row): Promise<[string, PaidBack]> => {
    const bookingId = Number(row.booking);
    const { facts, status } = (await deps.handler.state(booking, bookingId)).state;
    return [row.id, { bookingId, stands: facts?.intentId === row.id && status === 'confirmed' }];
  });
  return new Map(await Promise.all(found));
};

const saysSo = (words: string, { bookingId }: PaidBack): boolean =>
  /was paid back by hand, but booking (\d+) stands and admits/.exec(words)?.[1] === String(bookingId);

/** Whether a job fails because a person has to decide about such a payment. */
export const isDecision = (
  { id, subject, reason }: Pick<FailingJob, 'id' | 'subject' | 'reason'>,
  paidBack: ReadonlyMap<string, PaidBack>,
): boolean => {
  const found = paidBack.get(subject);
  return id === toDecide('provider-refund', subject) && !!found?.stands && saysSo(reason, found);
};

const lineOf = (line: string): { readonly about?: unknown; readonly msg?: unknown } => {
  try {
    return JSON.parse(line);
  } catch {
    // What nobody caught is no line of the product's log.
    return {};
  }
};

/** The errors that were logged, without one for each such payment: the booking may have been cancelled since. */
export const withoutDecisions = (
  logged: readonly string[],
  paidBack: ReadonlyMap<string, PaidBack>,
): readonly string[] => {
  const told = new Set<string>();
  return logged.filter((line) => {
    const { about, msg } = lineOf(line);
    const found = paidBack.get(String(about));
    if (!found || told.has(String(about)) || !saysSo(String(msg), found)) return true;
    told.add(String(about));
    return false;
  });
};
