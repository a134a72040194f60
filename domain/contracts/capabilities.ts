import { ROLES, type Role } from '#domain/account/events.ts';

/** A role, or nobody in particular. */
export type Standing = Role | 'visitor';

const everyone = ['visitor', ...ROLES] as const;
const door = ['staff', 'admin', 'superuser'] as const;
const auditors = ['auditor', 'admin', 'superuser'] as const;
const superusers = ['superuser'] as const;

/** Who may do what: the standings that have each capability. Every call names its own, and the server demands it. */
export const capabilities = {
  /** The catalogue, the site's settings, live updates, ticket keys and the page behind a ticket's code. */
  browse: everyone,
  /** Sign in, register, reset a password, verify an address, sign out. */
  authenticate: everyone,
  /** Newsletter and support messages. */
  contact: everyone,
  /** What the payment provider calls; the signature is the check. */
  'receive-webhook': everyone,
  /** The payment sandbox, which checks keys of its own, as the provider would. */
  'play-provider': everyone,
  /** Health and metrics. */
  monitor: everyone,

  /** One's own account: read, complete, delete, have the verification mail sent again. */
  'use-account': ROLES,
  /** Promotions' check, payment intent, booking. */
  buy: ROLES,
  /** One's own bookings, their history, their tickets, their cancellation. */
  'use-bookings': ROLES,

  /** The scanner and its recent scans. */
  'scan-tickets': door,
  /** Read, follow, verify and export the event log. */
  'read-log': auditors,
  /** The admin panel and all its calls. */
  administer: superusers,
  /** Replay of streams, and the state "as of" a moment. */
  replay: superusers,
  /** Rebuilds, parked events, failed jobs. */
  operate: superusers,
} as const satisfies Record<string, readonly Standing[]>;

/** What a call asks of its caller. */
export type Capability = keyof typeof capabilities;

/** The capabilities that a visitor has; every other one takes a session. */
export type PublicCapability = {
  [C in Capability]: 'visitor' extends (typeof capabilities)[C][number] ? C : never;
}[Capability];

/** Whether somebody of that standing may. */
export const may = (standing: Standing, capability: Capability): boolean => {
  const standings: readonly Standing[] = capabilities[capability];
  return standings.includes(standing);
};
