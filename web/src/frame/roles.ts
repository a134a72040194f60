import type { User } from '#domain/contracts/auth.ts';

/** What the client shows to whom. The server decides; this only spares people doors that are closed. */
export const mayScan = (role: User['role']): boolean =>
  role === 'staff' || role === 'admin' || role === 'superuser';
export const mayAdminister = (role: User['role']): boolean => role === 'superuser';
