import { ROLES, type Role } from '#domain/account/events.ts';

/** The role of the caller, or `visitor` for a caller who is not signed in. */
export type Standing = Role | 'visitor';

const everyone = ['visitor', ...ROLES] as const;
const scanning = ['staff', 'admin', 'superuser'] as const;
const supervisors = ['admin', 'superuser'] as const;
const auditors = ['auditor', 'admin', 'superuser'] as const;
const superusers = ['superuser'] as const;

/** The capabilities, with the roles that have each. Every call names the capability that its caller needs, and the server checks it. */
export const capabilities = {
  /** The catalogue, the site's settings, live updates, ticket keys and the page behind a ticket's code. */
  browse: everyone,
  /** Sign in, register, reset a password, verify an address, sign out. */
  authenticate: everyone,
  /** Newsletter and support messages. */
  contact: everyone,
  /** The webhook that the payment provider calls. Its signature is checked. */
  'receive-webhook': everyone,
  /** The payment sandbox, which checks its own keys, as the provider would. */
  'play-provider': everyone,
  /** Health and metrics. */
  monitor: everyone,

  /** The person's own account: read it, complete it, delete it, have the verification mail sent again. */
  'use-account': ROLES,
  /** Check a promotion, open a payment intent, book. */
  buy: ROLES,
  /** The person's own bookings: their history, tickets and cancellation. */
  'use-bookings': ROLES,

  /** The scanner and its recent scans. */
  'scan-tickets': scanning,
  /** Undo scans that others have made. */
  'undo-any-scan': supervisors,
  /** Read, follow, verify and export the event log. */
  'read-log': auditors,
  /** The admin panel and all its calls. */
  administer: superusers,
  /** Replay streams, and see the state at a moment in the past. */
  replay: superusers,
  /** Rebuilds, parked events, failed jobs. */
  operate: superusers,
} as const satisfies Record<string, readonly Standing[]>;

/** What a caller must be allowed to do. */
export type Capability = keyof typeof capabilities;

/** The capabilities of visitors. All others need a session. */
export type PublicCapability = {
  [C in Capability]: 'visitor' extends (typeof capabilities)[C][number] ? C : never;
}[Capability];

/** Whether a caller has a capability. */
export const may = (standing: Standing, capability: Capability): boolean => {
  const standings: readonly Standing[] = capabilities[capability];
  return standings.includes(standing);
};
