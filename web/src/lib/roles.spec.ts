import { expect, test } from 'vitest';
import { ROLES } from '#domain/account/events.ts';
import { type Capability, may } from '#domain/contracts/capabilities.ts';
import { mayAdminister, mayAudit, mayScan } from './roles.ts';

test.each<[Capability, (role: (typeof ROLES)[number]) => boolean]>([
  ['scan-tickets', mayScan],
  ['administer', mayAdminister],
  ['read-log', mayAudit],
])('%s is offered to the roles that the server allows', (capability, isOffered) => {
  expect(ROLES.filter(isOffered)).toEqual(ROLES.filter((role) => may(role, capability)));
});
