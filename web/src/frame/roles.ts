import type { User } from '#domain/contracts/auth.ts';

/** What the client shows to whom. The server decides; this only spares people doors that are closed. */
export const mayScan = (role: User['role']): boolean =>
  role === 'staff' || role === 'admin' || role === 'superuser';
/** Whether the admin panel is offered. */
export const mayAdminister = (role: User['role']): boolean => role === 'superuser';
