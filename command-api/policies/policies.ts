/** Policies. Pure; ids derive from event ids, so that an event never creates the same work twice. */

import {
  type JobKind,
  type NewJob,
  type Payloads,
  type RefundNotice,
  toDecide,
} from '#command-api/jobs/jobs.ts';
import type { DataOf, WorkingEvent, WorkingType } from '#domain/all-events.ts';
import { checkoutOf } from '#domain/checkout/checkout.ts';
import { MOST_REFUND_ATTEMPTS } from '#domain/kernel/policy.ts';
import { nextReminder } from '#domain/listing/reminders.ts';
import type { AttemptKey } from '#domain/processes/purchase.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { Mail } from '#infra/mail/mailer.ts';

/** Increase it when a policy does more for an event than before: older programs then leave the event alone. */
export const POLICY_CHANGES = 0;

export interface Work {
  readonly jobs: readonly NewJob[];
  readonly mails: readonly Mail[];
  /** Attempts that ended. Drop their jobs before adding `jobs`. */
  readonly settled: ReadonlySet<string>;
  readonly placed: readonly Placed[];
  readonly decided: ReadonlySet<string>;
  readonly expired: number;
}

interface Placed {
  readonly userId: string;
  readonly bookingId: number;
}

/** In log order, so that an attempt that ends in a later event gets no job. */
class Gathering {
  readonly jobs: NewJob[] = [];
  readonly ofAttempts = new Map<string, NewJob[]>();
  readonly reminders = new Map<string, NewJob>();
  readonly waiting = new Map<number, NewJob>();
  readonly mails: Mail[] = [];
  readonly settled = new Set<string>();
  readonly placed: Placed[] = [];
  readonly decided = new Set<string>();
  expired = 0;

  addForAttempt(job: NewJob): void {
    const known = this.ofAttempts.get(job.subject);
    if (known) known.push(job);
    else this.ofAttempts.set(job.subject, [job]);
  }

  settle(attempt: string): void {
    this.ofAttempts.delete(attempt);
    this.settled.add(attempt);
  }

  get all(): Work {
    const attempts = [...this.ofAttempts.values()].flat();
    const jobs = [...this.jobs, ...attempts, ...this.reminders.values(), ...this.waiting.values()];
    const { mails, settled, placed, decided, expired } = this;
    return { jobs, mails, settled, placed, decided, expired };
  }
}

/** Milliseconds until a job takes over from the call in progress. */
const OWN_TIME = 5_000;
/** Milliseconds, so that a buyer who only changes an order has the tickets back by then. */
const SETTLED = 60_000;
/** Milliseconds, by attempt. */
const REFUND_REST = [60_000, 3_600_000, 12 * 3_600_000];

const SYSTEM_DEMO = 'demo';
export const isDemo = ({ meta: { actor } }: Recorded): boolean =>
  actor.kind === 'system' && actor.id === SYSTEM_DEMO;

const effectsOf = ({ id, recordedAt, stream, meta }: Recorded, work: Gathering) => {
  const now = new Date(recordedAt);
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  const job = <Kind extends JobKind>(
    kind: Kind,
    subject: string | number,
    payload: Payloads[Kind],
    dueAt: Date,
    key = `${id}:${kind}`,
  ) => ({ id: key, kind, subject: String(subject), payload, dueAt });
  return {
    now,
    after,
    stream,
    givenAt: meta.at,
    attempt(attempt: string, { userId, listingId }: Omit<AttemptKey, 'attempt'>, dueAt: Date): void {
      work.addForAttempt(job('attempt', attempt, { userId, listingId, attempt }, dueAt));
    },
    settle: (attempt: string): void => work.settle(attempt),
    mail(kind: Mail['kind'], accountId: string, data: Mail['data'] = {}): void {
      work.mails.push({ kind, accountId, data, key: `${id}:${kind}`, since: recordedAt });
    },
    refund(bookingId: number, dueAt: Date): void {
      work.jobs.push(job('refund', bookingId, { bookingId }, dueAt));
    },
    refundNotice(bookingId: number, notice: RefundNotice): void {
      const payload = { bookingId, notice, key: id, since: recordedAt };
      work.jobs.push(job('refund-notice', bookingId, payload, now, `${id}:notice`));
    },
    moved(listingId: number): void {
      const payload = { listingId, change: meta.commandId, since: recordedAt };
      work.jobs.push(job('moved', listingId, payload, now));
    },
    sessions(accountId: string, before?: string): void {
      const payload = { accountId, ...(before !== undefined && { before }) };
      work.jobs.push(job('sessions', accountId, payload, after(OWN_TIME)));
    },
    reminder({ listingId, startsAt }: { readonly listingId: number; readonly startsAt: string }): void {
      const due = nextReminder(startsAt, now.getTime());
      if (due === undefined) return;
      const key = `reminder:${listingId}:${startsAt}`;
      work.reminders.set(key, job('reminder', listingId, { listingId, startsAt }, new Date(due), key));
    },
    waiting({ listingId }: { readonly listingId: number }): void {
      work.waiting.set(listingId, job('waiting', listingId, { listingId }, after(SETTLED)));
    },
    deletion(listingId: number): void {
      work.jobs.push(job('deletion', listingId, { listingId }, after(OWN_TIME)));
    },
    placed({ userId, bookingId }: Placed): void {
      work.placed.push({ userId, bookingId });
    },
    decided(jobId: string): void {
      work.decided.add(jobId);
    },
    expired(): void {
      work.expired++;
    },
  };
};
type Effects = ReturnType<typeof effectsOf>;

const goOn = ({ attempt }: { readonly attempt: string }, effects: Effects): void =>
  effects.attempt(attempt, checkoutOf(effects.stream), effects.after(OWN_TIME));

const settle = ({ attempt }: { readonly attempt: string }, effects: Effects): void => effects.settle(attempt);

const checkSessions = ({ accountId }: { readonly accountId: string }, { sessions }: Effects): void =>
  sessions(accountId);

const offerTickets = (data: { readonly listingId: number }, { waiting }: Effects): void => waiting(data);

type Policy<Type extends WorkingType> = (data: DataOf<Type>, effects: Effects) => void;

const policies: { readonly [Type in WorkingType]: Policy<Type> } = {
  CheckoutOpened: (data, { attempt }) => attempt(data.attempt, data, new Date(data.until)),
  CheckoutClosing(data, effects) {
    if (data.why === 'expired') effects.expired();
    goOn(data, effects);
  },
  PaymentReceived: goOn,
  CheckoutUnfilled: goOn,
  CheckoutClosed: settle,
  CheckoutCompleted: settle,

  BookingPlaced(data, effects) {
    const { userId, bookingId, quote } = data;
    effects.placed(data);
    if (quote.promotion) effects.attempt(data.attempt, data, effects.now);
    else effects.settle(data.attempt);
    effects.mail('booking-confirmation', userId, { bookingId });
    effects.reminder(data);
  },
  BookingUnfilled(data, { attempt, after, mail }) {
    attempt(data.attempt, data, after(1_000));
    mail('booking-unfilled', data.userId, { bookingId: data.bookingId });
  },
  BookingCancelled({ userId, bookingId, by }, { mail }) {
    // The person's address is about to be erased; the last page tells them.
    if (by !== 'account-erased') mail('booking-cancelled', userId, { bookingId });
  },
  BookingReinstated: ({ userId, bookingId }, { mail }) => mail('booking-reinstated', userId, { bookingId }),
  TicketReissued: ({ userId, bookingId }, { mail }) => mail('ticket-reissued', userId, { bookingId }),

  RefundRequested({ intentId }, { decided }) {
    // After a manual refund, a person was asked to cancel the booking.
    if (intentId) decided(toDecide('provider-refund', intentId));
  },
  RefundApproved: ({ bookingId }, { refund, now }) => refund(bookingId, now),
  RefundSucceeded: ({ bookingId }, { refundNotice }) => refundNotice(bookingId, 'refund-completed'),
  RefundDenied({ bookingId, by }, { refundNotice }) {
    if (by === 'superuser') refundNotice(bookingId, 'refund-denied');
  },
  RefundFailed({ attempt, bookingId }, { refund, after }) {
    if (attempt < MOST_REFUND_ATTEMPTS) refund(bookingId, after(REFUND_REST[attempt - 1] ?? 0));
  },

  PasswordChanged({ accountId }, { mail, sessions, givenAt }) {
    mail('password-changed', accountId);
    // Sessions have the clock of the process that opens them, not the log's.
    sessions(accountId, givenAt);
  },
  PasswordRemoved({ accountId }, { mail, sessions, givenAt }) {
    mail('password-removed', accountId);
    sessions(accountId, givenAt);
  },
  SecondFactorEnrolled({ accountId }, { mail, sessions }) {
    mail('second-factor-on', accountId);
    sessions(accountId);
  },
  SecondFactorRemoved({ accountId }, { mail, sessions }) {
    mail('second-factor-off', accountId);
    sessions(accountId);
  },
  SecondFactorReset({ accountId }, { mail, sessions, givenAt }) {
    mail('second-factor-off', accountId);
    sessions(accountId, givenAt);
  },
  RoleChanged: checkSessions,
  AccountDeactivated: checkSessions,
  AccountSoftDeleted: checkSessions,

  CapacityChanged: offerTickets,
  HoldReleased: offerTickets,
  TicketsReturned: offerTickets,
  ListingActivated: offerTickets,
  // Tickets may have been released meanwhile.
  WaitingListJoined: offerTickets,
  WaiterTold: ({ userId, listingId }, { mail }) => mail('tickets-back', userId, { listingId }),

  ListingEdited({ listingId, fromVenueId }, { moved }) {
    if (fromVenueId !== undefined) moved(listingId);
  },
  ListingRescheduled(data, { moved, waiting, reminder }) {
    moved(data.listingId);
    waiting(data);
    reminder(data);
  },
  SalesClosed({ listingId, why }, { deletion }) {
    if (why === 'archived') deletion(listingId);
  },
  SupportMessageReceived: ({ accountId, supportId }, { mail }) =>
    mail('support-message', accountId ?? '', { supportId }),
};

export const workOf = (events: readonly Recorded<WorkingEvent>[]): Work => {
  const work = new Gathering();
  for (const recorded of events) {
    const { type, data } = recorded.event;
    if (!isDemo(recorded)) (policies[type] as Policy<WorkingType>)(data, effectsOf(recorded, work));
    // The demo's accounts can also be deleted.
    else if (type === 'BookingPlaced') work.placed.push(data);
  }
  return work.all;
};
