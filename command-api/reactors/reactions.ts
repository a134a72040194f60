/**
 * Which jobs and mails follow from which events. These functions are pure. The ids of the work come from the ids of the events, so
 * that an event never makes the same work twice.
 */

import { type NewJob, type RefundNotice, toDecide } from '#command-api/jobs/jobs.ts';
import type { AccountEvent } from '#domain/account/events.ts';
import type { BookingEvent } from '#domain/booking/events.ts';
import { checkoutOf } from '#domain/checkout/checkout.ts';
import type { CheckoutEvent } from '#domain/checkout/events.ts';
import type { InventoryEvent } from '#domain/inventory/events.ts';
import { typesOf } from '#domain/kernel/personal.ts';
import { MOST_REFUND_ATTEMPTS } from '#domain/kernel/policy.ts';
import type { ListingEvent } from '#domain/listing/events.ts';
import { nextReminder } from '#domain/listing/reminders.ts';
import type { RefundEvent } from '#domain/refund/events.ts';
import type { SupportEvent } from '#domain/support/events.ts';
import type { WaitingEvent } from '#domain/waiting/events.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { Mail } from '#infra/mail/mailer.ts';

type Observed =
  | AccountEvent
  | CheckoutEvent
  | BookingEvent
  | RefundEvent
  | InventoryEvent
  | ListingEvent
  | SupportEvent
  | WaitingEvent;

/** Whether events of a type make work. Each type is named, so that a new one doesn't compile without an answer. */
const MAKES_WORK = {
  CheckoutOpened: true,
  IntentAttached: false,
  PaymentReceived: true,
  CheckoutClosing: true,
  CheckoutClosed: true,
  CheckoutCompleted: true,
  CheckoutUnfilled: true,
  InventoryOpened: false,
  CapacityChanged: true,
  TicketsHeld: false,
  HoldReleased: true,
  TicketsSold: false,
  TicketsReturned: true,
  TicketsRetaken: false,
  RetakeGivenUp: false,
  SalesClosed: true,
  BookingPlaced: true,
  BookingUnfilled: true,
  BookingCancelled: true,
  BookingReinstated: true,
  BookingRefunded: false,
  TicketReissued: true,
  RefundRequested: true,
  RefundApproved: true,
  RefundDenied: true,
  RefundReset: false,
  RefundSubmitted: false,
  RefundSucceeded: true,
  RefundFailed: true,
  ListingCreated: false,
  ListingEdited: true,
  ListingRescheduled: true,
  ListingFeatured: false,
  ListingActivated: true,
  ListingDeactivated: false,
  ListingArchived: false,
  AccountRegistered: false,
  EmailVerified: false,
  ProfileCompleted: false,
  PasswordChanged: true,
  PasswordRemoved: true,
  GoogleLinked: false,
  SecondFactorEnrolled: true,
  SecondFactorRemoved: true,
  SecondFactorReset: true,
  RecoveryCodesRenewed: false,
  RoleChanged: true,
  AccountDeactivated: true,
  AccountActivated: false,
  AccountSoftDeleted: true,
  AccountRestored: false,
  AccountErased: false,
  SupportMessageReceived: true,
  WaitingListJoined: true,
  WaitingListLeft: false,
  WaiterTold: true,
} as const satisfies Readonly<Record<Observed['type'], boolean>>;

type ReactingType = {
  [Type in Observed['type']]: (typeof MAKES_WORK)[Type] extends true ? Type : never;
}[Observed['type']];

/** The events that make jobs or mails. */
export type Reacting = Extract<Observed, { type: ReactingType }>;

/** Their types, for the log's filter. */
export const REACTING_TYPES: readonly ReactingType[] = typesOf(MAKES_WORK).filter(
  (type): type is ReactingType => MAKES_WORK[type],
);

/**
 * Raise it where another type of event makes work, one makes more, or one has a new version: an older program would pass over it, and leaves
 * the log to newer ones.
 */
export const REACTIONS_VERSION = 5;

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
/** After how many milliseconds those who wait are told of tickets: whoever has let theirs go to choose anew has them again by then. */
const SETTLED = 60_000;
/** After how many milliseconds a failed refund is tried again, by the number of its attempt. */
const REFUND_REST = [60_000, 3_600_000, 12 * 3_600_000];

const SYSTEM_DEMO = 'demo';
/** Whether the event belongs to the demo, which makes no jobs and no mails. */
export const isDemo = ({ meta: { actor } }: Recorded): boolean =>
  actor.kind === 'system' && actor.id === SYSTEM_DEMO;

const later = (instant: string, ms: number): Date => new Date(Date.parse(instant) + ms);

/** Adds the work that follows from one event. */
const react = (recorded: Recorded<Reacting>, work: Gathering): void => {
  const { event, id, recordedAt, meta } = recorded;
  const attemptJob = (attempt: string, key: { userId: string; listingId: number }, dueAt: Date): void => {
    const { userId, listingId } = key;
    const payload = { userId, listingId, attempt };
    work.addForAttempt({ id: `${id}:attempt`, kind: 'attempt', subject: attempt, payload, dueAt });
  };
  const mail = (kind: Mail['kind'], accountId: string, data: Mail['data']): void => {
    work.mails.push({ kind, accountId, data, key: `${id}:${kind}`, since: recordedAt });
  };
  const refundJob = (bookingId: number, dueAt: Date): void => {
    work.jobs.push({
      id: `${id}:refund`,
      kind: 'refund',
      subject: String(bookingId),
      payload: { bookingId },
      dueAt,
    });
  };
  const noticeJob = (bookingId: number, notice: RefundNotice): void => {
    const payload = { bookingId, notice, key: id, since: recordedAt };
    work.jobs.push({
      id: `${id}:notice`,
      kind: 'refund-notice',
      subject: String(bookingId),
      payload,
      dueAt: new Date(recordedAt),
    });
  };
  const movedJob = (listingId: number): void => {
    const payload = { listingId, change: meta.commandId, since: recordedAt };
    const dueAt = new Date(recordedAt);
    work.jobs.push({ id: `${id}:moved`, kind: 'moved', subject: String(listingId), payload, dueAt });
  };
  const sessionsJob = (accountId: string, before?: string): void => {
    const payload = { accountId, ...(before !== undefined && { before }) };
    const dueAt = later(recordedAt, OWN_TIME);
    work.jobs.push({ id: `${id}:sessions`, kind: 'sessions', subject: accountId, payload, dueAt });
  };
  const reminderJob = (listingId: number, startsAt: string): void => {
    const due = nextReminder(startsAt, Date.parse(recordedAt));
    if (due === undefined) return;
    const id = `reminder:${listingId}:${startsAt}`;
    const payload = { listingId, startsAt };
    const dueAt = new Date(due);
    work.reminders.set(id, { id, kind: 'reminder', subject: String(listingId), payload, dueAt });
  };
  const waitingJob = (listingId: number): void => {
    const subject = String(listingId);
    const dueAt = later(recordedAt, SETTLED);
    work.waiting.set(listingId, {
      id: `${id}:waiting`,
      kind: 'waiting',
      subject,
      payload: { listingId },
      dueAt,
    });
  };
  switch (event.type) {
    case 'CheckoutOpened':
      attemptJob(event.data.attempt, event.data, new Date(event.data.until));
      return;
    case 'CheckoutClosing':
    case 'PaymentReceived':
    case 'CheckoutUnfilled':
      if (event.type === 'CheckoutClosing' && event.data.why === 'expired') work.expired++;
      attemptJob(event.data.attempt, checkoutOf(recorded.stream), later(recordedAt, OWN_TIME));
      return;
    case 'CheckoutClosed':
    case 'CheckoutCompleted':
      work.settle(event.data.attempt);
      return;
    case 'BookingPlaced': {
      const { attempt, userId, bookingId, quote } = event.data;
      work.placed.push({ userId, bookingId });
      if (quote.promotion) attemptJob(attempt, event.data, new Date(recordedAt));
      else work.settle(attempt);
      mail('booking-confirmation', userId, { bookingId });
      reminderJob(event.data.listingId, event.data.startsAt);
      return;
    }
    case 'BookingUnfilled': {
      const { attempt, userId, bookingId } = event.data;
      attemptJob(attempt, event.data, later(recordedAt, 1_000));
      mail('booking-unfilled', userId, { bookingId });
      return;
    }
    case 'BookingCancelled': {
      const { userId, bookingId, by } = event.data;
      // A person who deletes their account is told on the last page. Their address is about to be erased.
      if (by !== 'account-erased') mail('booking-cancelled', userId, { bookingId });
      return;
    }
    case 'BookingReinstated':
      mail('booking-reinstated', event.data.userId, { bookingId: event.data.bookingId });
      return;
    case 'TicketReissued':
      mail('ticket-reissued', event.data.userId, { bookingId: event.data.bookingId });
      return;
    case 'RefundRequested':
      // Where money went back by hand before, a person was asked to cancel the booking.
      if (event.data.intentId) work.decided.add(toDecide('provider-refund', event.data.intentId));
      return;
    case 'RefundApproved':
      refundJob(event.data.bookingId, new Date(recordedAt));
      return;
    case 'RefundSucceeded':
      noticeJob(event.data.bookingId, 'refund-completed');
      return;
    case 'RefundDenied': {
      const { bookingId, by } = event.data;
      // A denial by the policy is told in the mail about the cancellation.
      if (by === 'superuser') noticeJob(bookingId, 'refund-denied');
      return;
    }
    case 'RefundFailed': {
      const { attempt, bookingId } = event.data;
      if (attempt >= MOST_REFUND_ATTEMPTS) return;
      refundJob(bookingId, later(recordedAt, REFUND_REST[attempt - 1] ?? 0));
      return;
    }
    case 'PasswordChanged':
      mail('password-changed', event.data.accountId, {});
      // The command's own time: sessions go by the clock of the process that opens the next one, not by the log's.
      sessionsJob(event.data.accountId, meta.at);
      return;
    case 'PasswordRemoved':
      mail('password-removed', event.data.accountId, {});
      sessionsJob(event.data.accountId, meta.at);
      return;
    case 'SecondFactorEnrolled':
      mail('second-factor-on', event.data.accountId, {});
      sessionsJob(event.data.accountId);
      return;
    case 'SecondFactorRemoved':
      mail('second-factor-off', event.data.accountId, {});
      sessionsJob(event.data.accountId);
      return;
    case 'SecondFactorReset':
      mail('second-factor-off', event.data.accountId, {});
      sessionsJob(event.data.accountId, meta.at);
      return;
    case 'RoleChanged':
    case 'AccountDeactivated':
    case 'AccountSoftDeleted':
      sessionsJob(event.data.accountId);
      return;
    case 'CapacityChanged':
    case 'HoldReleased':
    case 'TicketsReturned':
    case 'ListingActivated':
    // Tickets may have come back while somebody joined because there were none.
    case 'WaitingListJoined':
      waitingJob(event.data.listingId);
      return;
    case 'WaiterTold':
      mail('tickets-back', event.data.userId, { listingId: event.data.listingId });
      return;
    case 'ListingEdited':
      if (event.data.fromVenueId !== undefined) movedJob(event.data.listingId);
      return;
    case 'ListingRescheduled':
      movedJob(event.data.listingId);
      waitingJob(event.data.listingId);
      reminderJob(event.data.listingId, event.data.startsAt);
      return;
    case 'SupportMessageReceived': {
      const { accountId, supportId } = event.data;
      mail('support-message', accountId ?? '', { supportId });
      return;
    }
    case 'SalesClosed': {
      const { listingId, why } = event.data;
      if (why !== 'archived') return;
      const dueAt = later(recordedAt, OWN_TIME);
      work.jobs.push({
        id: `${id}:deletion`,
        kind: 'deletion',
        subject: String(listingId),
        payload: { listingId },
        dueAt,
      });
      return;
    }
    default:
      event satisfies never;
  }
};

/** The work that follows from events, which must be in the order of the log. */
export const workOf = (events: readonly Recorded<Reacting>[]): Work => {
  const work = new Gathering();
  for (const recorded of events) {
    if (!isDemo(recorded)) react(recorded, work);
    // A person of the demo may delete their account too, so their bookings are in the index.
    else if (recorded.event.type === 'BookingPlaced') work.placed.push(recorded.event.data);
  }
  return work.all;
};
