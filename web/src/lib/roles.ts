/**
 * Copy of `domain/contracts/capabilities.ts`, whose import would add the contracts to the first page; a spec
 * compares them. The server decides; these only hide links.
 */
import type { User } from '#domain/contracts/auth.ts';

export const mayScan = (role: User['role']): boolean =>
  role === 'staff' || role === 'admin' || role === 'superuser';
export const mayAdminister = (role: User['role']): boolean => role === 'superuser';

export const mayAudit = (role: User['role']): boolean =>
  role === 'auditor' || role === 'admin' || role === 'superuser';
