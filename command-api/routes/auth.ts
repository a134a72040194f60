/** `/api/auth/*`, but for `GET /api/auth/user`, which is a query. */
import type { CommandDeps } from '#command-api/deps.ts';
import type { App } from '#infra/http/server.ts';
import { googleRoutes } from './auth-google.ts';
import { mailLinkRoutes } from './auth-mail.ts';
import { signInRoutes } from './auth-sign-in.ts';

/** All of `/api/auth/*` that changes something, and the two GETs that belong to it. */
export const authRoutes = (app: App, deps: CommandDeps): void => {
  signInRoutes(app, deps);
  mailLinkRoutes(app, deps);
  googleRoutes(app, deps);
};
