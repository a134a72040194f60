import { ROLES, type Role } from '#domain/account/events.ts';

export type Standing = Role | 'visitor';

const everyone = ['visitor', ...ROLES] as const;
const scanning = ['staff', 'admin', 'superuser'] as const;
const supervisors = ['admin', 'superuser'] as const;
const auditors = ['auditor', 'admin', 'superuser'] as const;
const superusers = ['superuser'] as const;

export const capabilities = {
  browse: everyone,
  authenticate: everyone,
  contact: everyone,
  'receive-webhook': everyone,
  'play-provider': everyone,
  monitor: everyone,

  'use-account': ROLES,
  buy: ROLES,
  'use-bookings': ROLES,

  'scan-tickets': scanning,
  'undo-any-scan': supervisors,
  'read-log': auditors,
  administer: superusers,
  replay: superusers,
  operate: superusers,
} as const satisfies Record<string, readonly Standing[]>;

export type Capability = keyof typeof capabilities;

export type PublicCapability = {
  [C in Capability]: 'visitor' extends (typeof capabilities)[C][number] ? C : never;
}[Capability];

export const may = (standing: Standing, capability: Capability): boolean => {
  const standings: readonly Standing[] = capabilities[capability];
  return standings.includes(standing);
};
