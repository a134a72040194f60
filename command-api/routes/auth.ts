import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { App } from '#infra/http/server.ts';
import { googleRoutes } from './auth-google.ts';
import { mailLinkRoutes } from './auth-mail.ts';
import { signInRoutes } from './auth-sign-in.ts';

export const authRoutes = (app: App, deps: CommandDeps): void => {
  signInRoutes(app, deps);
  mailLinkRoutes(app, deps);
  googleRoutes(app, deps);
};
