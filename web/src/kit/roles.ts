/**
 * Whom the site offers what. The roles are those of `domain/contracts/capabilities.ts`, whose import would bring the contracts to the first
 * page; a spec compares the two.
 */
import type { User } from '#domain/contracts/auth.ts';

/** Whether to offer the scanner. The server decides; this only hides links that would lead to a refusal. */
export const mayScan = (role: User['role']): boolean =>
  role === 'staff' || role === 'admin' || role === 'superuser';
/** Whether to offer the admin panel. */
export const mayAdminister = (role: User['role']): boolean => role === 'superuser';

/** Whether to offer the log. */
export const mayAudit = (role: User['role']): boolean =>
  role === 'auditor' || role === 'admin' || role === 'superuser';
