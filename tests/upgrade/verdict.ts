/** What must be so after an upgrade, whichever programs did the work: nothing that the log asks for is lost, and nothing is done twice. */
import type pg from 'pg';
import { webhookTypeOf } from '#domain/answers/webhook-message.ts';
import type { WebhookType } from '#domain/webhook/events.ts';
import type { Outside } from './outside.ts';

interface LoggedEvent
  extends Readonly<Record<'id' | 'type' | 'stream', string>>,
    Readonly<Record<'position', number>> {
  readonly data: Readonly<Partial<Record<'userId' | 'accountId' | 'by' | 'why' | 'until' | 'url', string>>> &
    Readonly<Partial<Record<'bookingId' | 'listingId' | 'hookId', number>>> & {
      readonly attempt?: string | number;
      readonly types?: readonly WebhookType[];
    };
}

interface Mail extends Readonly<Record<'key' | 'kind' | 'account', string>> {
  readonly sent: boolean;
  readonly givenUp: string | null;
}

/** All that is kept of an effect outside: in the log, in the queues, and at the payment sandbox. */
type Kept = Awaited<ReturnType<typeof lookAt>>;

export const lookAt = async (pool: pg.Pool) => {
  const all = async <Row extends object>(sql: string): Promise<readonly Row[]> =>
    (await pool.query(sql)).rows;
  return {
    events: await all<LoggedEvent>(
      'select position::int as position, id, type, stream, data::jsonb as data from log.event order by position',
    ),
    mails: await all<Mail>(
      `select key, kind, account_id as account, sent_at is not null as sent, given_up as "givenUp" from app.outbox`,
    ),
    deliveries: await all<{ hookId: number; messageId: string; status: string }>(
      'select hook_id as "hookId", message_id as "messageId", status from app.hook_delivery',
    ),
    jobs: await all<{ id: string; kind: string; subject: string; due: boolean }>(
      'select id, kind, subject, due_at <= now() as due from app.job',
    ),
    refunds: await all<{ bookingId: string; status: string; settles: boolean }>(
      `select metadata ->> 'bookingId' as "bookingId", status, settles_at is not null as settles from app.sandbox_refund`,
    ),
    payments: await all<{ attempt: string; left: number }>(
      `select metadata ->> 'attempt' as attempt, amount - refunded as left from app.sandbox_intent where status = 'succeeded'`,
    ),
    webhooks: (await all('select from app.sandbox_webhook')).length,
    // The ids of work that an event makes begin with the event's.
    madeTwice: await all<{ made: string }>(
      `select queue || ' ' || id as made from made.work group by queue, id having count(*) > 1
          and (queue <> 'job' or id ~ '^[0-9a-f]{8}-')`,
    ),
  };
};

interface Found {
  /** Has not been done yet. */
  readonly missing: readonly string[];
  /** Must never be so. */
  readonly wrong: readonly string[];
}

const countOf = (names: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** Compares how often each must be there at least, and may be at the most, with how often it is. */
const compare = (
  what: string,
  found: ReadonlyMap<string, number>,
  least: ReadonlyMap<string, number>,
  most: ReadonlyMap<string, number> = least,
): Found => {
  const there = (name: string): number => found.get(name) ?? 0;
  const few = [...least].filter(([name, times]) => there(name) < times);
  const many = [...most].filter(([name, times]) => there(name) > times);
  return {
    missing: few.map(([name, times]) => `${what} ${name}: ${there(name)} of ${times}`),
    wrong: many.map(([name, times]) => `${what} ${name}: ${there(name)}, and not ${times}`),
  };
};

/** Mails by kind and account: as many as there are events that ask for them, each sent. */
const lookAtMails = ({ events, mails }: Kept, before: Kept): Found => {
  const placed = events.filter(({ type }) => type === 'BookingPlaced');
  const buyerOf = (id: number | undefined): string =>
    placed.find(({ data }) => data.bookingId === id)?.data.userId ?? '';
  const isCancelled = (id: number | undefined): boolean =>
    events.some(({ type, data }) => type === 'BookingCancelled' && data.bookingId === id);
  const asked: string[] = [];
  const atMost: string[] = [];
  for (const { type, data, position } of events) {
    if (type === 'BookingPlaced') asked.push(`booking-confirmation ${data.userId}`);
    if (type === 'BookingCancelled' && data.by !== 'account-erased')
      asked.push(`booking-cancelled ${data.userId}`);
    if (type === 'TicketReissued') asked.push(`ticket-reissued ${data.userId}`);
    if (type === 'RefundSucceeded') asked.push(`refund-completed ${buyerOf(data.bookingId)}`);
    if (type === 'RefundDenied' && data.by === 'superuser') asked.push(`refund-denied ${data.userId}`);
    if (type === 'WaiterTold') asked.push(`tickets-back ${data.userId}`);
    if (type === 'SupportMessageReceived') asked.push(`support-message ${data.accountId ?? ''}`);
    if (type === 'ListingRescheduled')
      for (const booked of placed.filter((one) => one.data.listingId === data.listingId)) {
        const must = booked.position < position && !isCancelled(booked.data.bookingId);
        (must ? asked : atMost).push(`event-moved ${booked.data.userId}`);
      }
  }
  const kinds = new Set(asked.map((name) => name.split(' ')[0]));
  const found = countOf(
    mails.filter(({ kind }) => kinds.has(kind)).map(({ kind, account }) => `${kind} ${account}`),
  );
  const counted = compare('mails', found, countOf(asked), countOf([...asked, ...atMost, ...found.keys()]));
  const unasked = [...found].filter(([name]) => !asked.includes(name) && !atMost.includes(name));
  const kept = new Set(mails.map(({ key }) => key));
  const givenUp = new Set(before.mails.filter((mail) => mail.givenUp).map(({ key }) => key));
  // A mail that would not be true any more is not sent, nor is one to an account that is erased.
  const of = (wanted: string) => events.filter(({ type }) => type === wanted);
  const erased = new Set(of('AccountErased').map(({ data }) => data.accountId));
  const cancelled = new Set(of('BookingCancelled').map(({ data }) => data.userId));
  const withTicket = ['booking-confirmation', 'ticket-reissued', 'event-moved'];
  const isVain = ({ kind, account }: Mail): boolean =>
    erased.has(account) || (cancelled.has(account) && withTicket.includes(kind));
  return {
    missing: [
      ...counted.missing,
      ...mails.filter((mail) => !mail.sent && !mail.givenUp).map(({ key }) => `mail ${key} waits`),
    ],
    wrong: [
      ...counted.wrong,
      ...unasked.map(([name]) => `mails ${name}, which no event asks for`),
      ...before.mails.filter(({ key }) => !kept.has(key)).map(({ key }) => `mail ${key} is gone`),
      ...mails
        .filter((mail) => mail.givenUp && !givenUp.has(mail.key) && !isVain(mail))
        .map(({ key, givenUp: why }) => `mail ${key} is given up: ${why}`),
    ],
  };
};

/** Deliveries: of each event that a webhook has chosen since it was added one, and it is sent. */
const lookAtDeliveries = ({ events, deliveries }: Kept): Found => {
  const asked = events
    .filter(({ type }) => type === 'HookAdded')
    .flatMap(({ position, data: { hookId, types = [] } }) =>
      events
        .filter((event) => {
          const type = webhookTypeOf(event.type);
          return event.position > position && type !== undefined && types.includes(type);
        })
        .map(({ id }) => `${hookId} ${id}`),
    );
  const found = countOf(deliveries.map(({ hookId, messageId }) => `${hookId} ${messageId}`));
  const { missing, wrong } = compare('deliveries', found, countOf(asked));
  const unasked = [...found.keys()].filter((name) => !asked.includes(name));
  const idsOf = (wanted: string) =>
    deliveries.filter(({ status }) => status === wanted).map(({ messageId }) => messageId);
  return {
    missing: [...missing, ...idsOf('waiting').map((id) => `delivery of ${id} waits`)],
    wrong: [
      ...wrong,
      ...unasked.map((name) => `delivery ${name} is of no event`),
      ...idsOf('failed').map((id) => `delivery of ${id} is given up`),
    ],
  };
};

/** Money: a refund that is approved is paid once, and a payment has a booking or is paid back. */
const lookAtMoney = ({ events, refunds, payments, jobs, webhooks }: Kept): Found => {
  const missing: string[] = [];
  const wrong: string[] = [];
  const decided = new Map<string, string>();
  for (const { type, data } of events)
    if (/^Refund(Approved|Denied|Reset|Submitted|Succeeded|Failed)$/.test(type))
      decided.set(String(data.bookingId), type);
  for (const [bookingId, last] of decided) {
    const paid = refunds.filter((one) => one.bookingId === bookingId && one.status !== 'failed').length;
    const due = last === 'RefundSucceeded' ? 1 : 0;
    const waits = jobs.some(({ kind, subject }) => kind === 'refund' && subject === bookingId);
    if (last === 'RefundApproved' || last === 'RefundSubmitted')
      missing.push(`refund of booking ${bookingId}`);
    else if (paid < due) wrong.push(`the refund of booking ${bookingId} is not paid`);
    else if (last === 'RefundFailed' && !waits)
      missing.push(`another attempt of the refund of booking ${bookingId}`);
    if (paid > 1) wrong.push(`the refund of booking ${bookingId} is paid ${paid} times`);
  }
  for (const { bookingId, settles } of refunds) {
    if (settles) missing.push(`the bank's answer to the refund of booking ${bookingId}`);
    if (!decided.has(bookingId)) wrong.push(`booking ${bookingId} is refunded, which nobody has approved`);
  }
  const booked = new Set(
    events.filter(({ type }) => type === 'BookingPlaced').map(({ data }) => data.attempt),
  );
  for (const { attempt, left } of payments)
    if (left > 0 && !booked.has(attempt)) missing.push(`a booking or a refund for the payment of ${attempt}`);
  if (webhooks > 0) missing.push(`${webhooks} webhooks of the payment sandbox`);
  return { missing, wrong };
};

const byStream = ({ stream }: LoggedEvent): string => stream;
const byAttempt = ({ data }: LoggedEvent): string => String(data.attempt);
const byBooking = ({ data }: LoggedEvent): string => String(data.bookingId);
const byTry = ({ stream, data }: LoggedEvent): string => `${stream} ${data.attempt}`;

/** Events that must come once, by what they are of. */
const ONCE: Readonly<Record<string, (event: LoggedEvent) => string>> = {
  ...{ BookingPlaced: byStream, BookingCancelled: byStream, BookingRefunded: byStream },
  ...{ RefundRequested: byStream, ListingArchived: byStream },
  ...{ PaymentReceived: byAttempt, CheckoutClosed: byAttempt, CheckoutCompleted: byAttempt },
  ...{ TicketsSold: byBooking, TicketsReturned: byBooking, RefundSubmitted: byTry, RefundSucceeded: byTry },
  WaiterTold: ({ stream, data }) => `${stream} ${data.userId}`,
};

/** What follows from events by jobs, beside mails and money. */
const lookAtJobs = ({ events, jobs, madeTwice }: Kept, before: Kept): Found => {
  const missing: string[] = [];
  const of = (...types: readonly string[]) => events.filter(({ type }) => types.includes(type));
  const ends = ['CheckoutClosed', 'CheckoutCompleted', 'BookingPlaced', 'BookingUnfilled'];
  const ended = new Set(of(...ends).map(({ data }) => data.attempt));
  for (const { data } of of('CheckoutOpened'))
    if (Date.parse(data.until ?? '') < Date.now() && !ended.has(data.attempt))
      missing.push(`the end of checkout ${data.attempt}`);
  const cancelled = new Set(of('BookingCancelled').map(({ data }) => data.bookingId));
  const placed = of('BookingPlaced').map(({ data }) => data);
  for (const { data } of of('SalesClosed').filter((one) => one.data.why === 'archived'))
    for (const { bookingId } of placed.filter(({ listingId }) => listingId === data.listingId))
      if (!cancelled.has(bookingId)) missing.push(`the cancellation of booking ${bookingId}`);
  for (const { stream, data, position } of of('WaitingListJoined')) {
    const isBack = of('TicketsReturned').some(
      (one) => one.data.listingId === data.listingId && one.position > position,
    );
    const isTold = of('WaiterTold').some((one) => one.stream === stream && one.data.userId === data.userId);
    // Only people who were waiting before the upgrade: the mail about tickets that come back now is due in a minute.
    if (isBack && !isTold && before.events.some((one) => one.position === position))
      missing.push(`the mail to ${data.userId} on the waiting list`);
  }
  // A listing without bookings may keep its reminder.
  for (const listingId of new Set(
    placed.filter(({ bookingId }) => !cancelled.has(bookingId)).map((one) => one.listingId),
  ))
    if (!jobs.some(({ kind, subject }) => kind === 'reminder' && subject === String(listingId)))
      missing.push(`the reminder of listing ${listingId}`);
  // The reconciler's job is due every 20 seconds.
  for (const { id, due, kind } of jobs) if (due && kind !== 'reconcile') missing.push(`job ${id} is due`);
  const names = of(...Object.keys(ONCE)).map((event) => `${event.type} of ${ONCE[event.type]?.(event)}`);
  return {
    missing,
    wrong: [
      ...[...countOf(names)]
        .filter(([, times]) => times > 1)
        .map(([name, times]) => `${times} times ${name}`),
      ...madeTwice.map(({ made }) => `${made} was made twice`),
    ],
  };
};

/** Judges what is kept now, by what was kept when the new programs came. */
export const judge = (now: Kept, before: Kept): Found => {
  const found = [lookAtMails(now, before), lookAtDeliveries(now), lookAtMoney(now), lookAtJobs(now, before)];
  return {
    missing: found.flatMap(({ missing }) => missing),
    wrong: found.flatMap(({ wrong }) => wrong),
  };
};

/** Whether the mail server and the organiser's system took what was to be sent since then, each once. */
export const judgeOutside = (
  now: Kept,
  before: Kept,
  { mailServer, organiser }: { readonly mailServer: Outside; readonly organiser: Outside },
): readonly string[] => {
  const doubled = [...mailServer.taken, ...organiser.taken].filter((one, at, all) => all.indexOf(one) < at);
  const sent = (kept: Kept) => kept.mails.filter((mail) => mail.sent).length;
  const told = (kept: Kept) => kept.deliveries.filter(({ status }) => status === 'sent').length;
  const wrong = doubled.map((one) => `sent twice: ${one}`);
  if (mailServer.taken.length !== sent(now) - sent(before))
    wrong.push(`${mailServer.taken.length} mails came of ${sent(now) - sent(before)}`);
  if (organiser.taken.length !== told(now) - told(before))
    wrong.push(`${organiser.taken.length} deliveries came of ${told(now) - told(before)}`);
  return wrong;
};
