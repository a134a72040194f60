import { lookup } from '#domain/kernel/lookup.ts';

interface SiteMailFacts {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly variables: readonly string[];
}

const SITE = ['siteName', 'siteUrl', 'contactEmail'] as const;
/** No names: a stranger may get a mail to an unverified address. */
const LINKED = [...SITE, 'link'] as const;
const PERSON = [...SITE, 'userName', 'firstName'] as const;
const BOOKING = [
  ...PERSON,
  'eventTitle',
  'eventDate',
  'bookingId',
  'title',
  'when',
  'reference',
  'quantity',
  'paid',
  'venue',
  'address',
] as const;
const REFUND = [...BOOKING, 'refund'] as const;

export const siteMails = {
  'verify-email': {
    id: 1,
    name: 'Verify the address',
    description: 'To whoever registers.',
    variables: LINKED,
  },
  'reset-password': {
    id: 2,
    name: 'Reset the password',
    description: 'To whoever forgot it.',
    variables: LINKED,
  },
  'password-changed': {
    id: 3,
    name: 'Password changed',
    description: 'After each new password.',
    variables: PERSON,
  },
  'password-removed': {
    id: 4,
    name: 'Password removed',
    description: 'When Google takes over signing in.',
    variables: PERSON,
  },
  'second-factor-on': {
    id: 5,
    name: 'Second step on',
    description: 'When a second step is set up.',
    variables: PERSON,
  },
  'second-factor-off': {
    id: 6,
    name: 'Second step off',
    description: 'When it is removed.',
    variables: PERSON,
  },
  'booking-confirmation': {
    id: 7,
    name: 'Booking confirmed',
    description: 'With the ticket as a PDF.',
    variables: BOOKING,
  },
  'booking-unfilled': {
    id: 8,
    name: 'Booking not possible',
    description: 'Paid too late: the money goes back.',
    variables: [...BOOKING, 'soldOut'],
  },
  'booking-cancelled': {
    id: 9,
    name: 'Booking cancelled',
    description: 'After each cancellation.',
    variables: [...REFUND, 'review', 'calledOff'],
  },
  'refund-completed': {
    id: 10,
    name: 'Refund paid',
    description: 'When the money is back.',
    variables: REFUND,
  },
  'refund-denied': {
    id: 11,
    name: 'Refund not approved',
    description: 'When a superuser denies it.',
    variables: [...REFUND, 'reason'],
  },
  'booking-reinstated': {
    id: 12,
    name: 'Booking reinstated',
    description: 'With the ticket as a PDF.',
    variables: BOOKING,
  },
  'ticket-reissued': {
    id: 13,
    name: 'Ticket reissued',
    description: 'With the new ticket as a PDF.',
    variables: BOOKING,
  },
  'event-moved': {
    id: 14,
    name: 'Event changed',
    description: 'When date, time or venue change; with the ticket.',
    variables: [...BOOKING, 'rescheduled', 'bookedFor'],
  },
  'account-deleted': {
    id: 15,
    name: 'Account deleted',
    description: 'When a superuser deletes it for good.',
    variables: [...PERSON, 'receipt'],
  },
  'event-reminder': {
    id: 16,
    name: 'Event coming up',
    description: 'Seven days and 24 hours before; with the ticket.',
    variables: [...REFUND, 'doors'],
  },
  'tickets-back': {
    id: 19,
    name: 'Tickets again',
    description: 'To who waits for a sold-out event, once, when there are tickets again.',
    variables: [...PERSON, 'title', 'when', 'venue', 'eventId'],
  },
  'support-message': {
    id: 17,
    name: 'Message to support',
    description: 'To the contact address, when somebody writes to support.',
    variables: [...SITE, 'supportId', 'name', 'email', 'category', 'topic', 'reference', 'message'],
  },
  'wrong-codes': {
    id: 18,
    name: 'Wrong codes',
    description: 'When somebody knows the password, but not the code.',
    variables: PERSON,
  },
} as const satisfies Readonly<Record<string, SiteMailFacts>>;

export type SiteMail = keyof typeof siteMails;
export type BookingMail = Extract<
  SiteMail,
  `booking-${string}` | `refund-${string}` | 'ticket-reissued' | 'event-moved' | 'event-reminder'
>;
export const SITE_MAILS = Object.keys(siteMails) as readonly SiteMail[];

export const defaultKind = (id: number): SiteMail | undefined =>
  SITE_MAILS.find((kind) => siteMails[kind].id === id);

/** Null: the variables common to all booking mails. */
export const variablesOf = (kind: SiteMail | null): readonly string[] =>
  (kind && lookup(siteMails, kind)?.variables) ?? REFUND;
