import { adminSettingOf, changeSetting, resetSetting } from '#command-api/catalogue/settings.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import type { App } from '#infra/http/server.ts';

export const adminSiteRoutes = (app: App, deps: Pick<CommandDeps, 'handler' | 'clock' | 'replies'>): void => {
  const change = changesOn(app, deps);

  editsOn(app, deps)(
    adminSiteCalls.change,
    ({ body }, acting) => changeSetting(body, acting),
    async ({ body: { key } }, acting) => adminSettingOf(key, acting),
  );

  change(adminSiteCalls.reset, async ({ params: { key } }, { acting }) => {
    await resetSetting(key, acting);
    return { message: 'The setting has its default again' };
  });
};
