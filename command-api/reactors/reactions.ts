/**
 * Which jobs and mails follow from which events. These functions are pure. The ids of the work come from the ids of the events, so
 * that an event never makes the same work twice.
 */

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

/** Raise it where a policy makes more of an event than before: an older program would make less of it. */
export const POLICY_CHANGES = 0;

/** The work that follows from some events. */
export interface Work {
  readonly jobs: readonly NewJob[];
  readonly mails: readonly Mail[];
  /** Attempts that have come to their end. Their jobs have to be dropped before `jobs` are added. */
  readonly settled: ReadonlySet<string>;
  /** Bookings for the index of accounts' bookings. */
  readonly placed: readonly Placed[];
  /** The ids of jobs that a person has been asked to decide, and may have decided now. */
  readonly decided: ReadonlySet<string>;
  /** How many attempts were closed because they were not paid in time. */
  readonly expired: number;
}

interface Placed {
  readonly userId: string;
  readonly bookingId: number;
}

/** Gathers work in the order of the log, so that an attempt that ends in a later event gets no job. */
class Gathering {
  readonly jobs: NewJob[] = [];
  readonly ofAttempts = new Map<string, NewJob[]>();
  /** By id: hundreds of bookings of one event make one. */
  readonly reminders = new Map<string, NewJob>();
  /** By listing: tickets come back by the dozen. */
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

/** After how many milliseconds a job takes over from the call that is working on it. */
const OWN_TIME = 5_000;
/** After how many milliseconds people on the waiting list hear of tickets. A buyer who only changed their order has them again by then. */
const SETTLED = 60_000;
/** After how many milliseconds a failed refund is tried again, by the number of its attempt. */
const REFUND_REST = [60_000, 3_600_000, 12 * 3_600_000];

const SYSTEM_DEMO = 'demo';
/** Whether the event belongs to the demo, which makes no jobs and no mails. */
export const isDemo = ({ meta: { actor } }: Recorded): boolean =>
  actor.kind === 'system' && actor.id === SYSTEM_DEMO;

/** What can follow from one event. */
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
    /** When its command was given, an ISO instant. */
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

/** Tickets may have come back. */
const offerTickets = (data: { readonly listingId: number }, { waiting }: Effects): void => waiting(data);

type Policy<Type extends WorkingType> = (data: DataOf<Type>, effects: Effects) => void;

/** What follows from each event that is declared with `work: true`. */
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
    // The last page tells a person who deletes their account, whose address is about to be erased.
    if (by !== 'account-erased') mail('booking-cancelled', userId, { bookingId });
  },
  BookingReinstated: ({ userId, bookingId }, { mail }) => mail('booking-reinstated', userId, { bookingId }),
  TicketReissued: ({ userId, bookingId }, { mail }) => mail('ticket-reissued', userId, { bookingId }),

  RefundRequested({ intentId }, { decided }) {
    // Where money went back by hand before, a person was asked to cancel the booking.
    if (intentId) decided(toDecide('provider-refund', intentId));
  },
  RefundApproved: ({ bookingId }, { refund, now }) => refund(bookingId, now),
  RefundSucceeded: ({ bookingId }, { refundNotice }) => refundNotice(bookingId, 'refund-completed'),
  RefundDenied({ bookingId, by }, { refundNotice }) {
    // The mail about the cancellation tells a denial by the policy.
    if (by === 'superuser') refundNotice(bookingId, 'refund-denied');
  },
  RefundFailed({ attempt, bookingId }, { refund, after }) {
    if (attempt < MOST_REFUND_ATTEMPTS) refund(bookingId, after(REFUND_REST[attempt - 1] ?? 0));
  },

  PasswordChanged({ accountId }, { mail, sessions, givenAt }) {
    mail('password-changed', accountId);
    // The command's own time: sessions go by the clock of the process that opens the next one, not by the log's.
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
  // Tickets may have come back while somebody joined because there were none.
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

/** The work that follows from events, which must be in the order of the log. */
export const workOf = (events: readonly Recorded<WorkingEvent>[]): Work => {
  const work = new Gathering();
  for (const recorded of events) {
    const { type, data } = recorded.event;
    if (!isDemo(recorded)) (policies[type] as Policy<WorkingType>)(data, effectsOf(recorded, work));
    // A person of the demo may delete their account too, so their bookings are in the index.
    else if (type === 'BookingPlaced') work.placed.push(data);
  }
  return work.all;
};
