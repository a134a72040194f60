import type { ActingHandler, CommandHandler } from '#command-api/commands/command-handler.ts';
import { toAdminSetting } from '#domain/answers/content.ts';
import { SITE_CONFIG, siteConfig } from '#domain/content/site-config.ts';
import { isSiteKey } from '#domain/content/site-defaults.ts';
import type { AdminSetting, SettingRequest } from '#domain/contracts/admin-site.ts';
import { type SiteSettings, siteSettings } from '#domain/contracts/site.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

export const changeSetting = (request: Omit<SettingRequest, 'revision'>, acting: ActingHandler) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ChangeSetting', ...request });

export const adminSettingOf = async (key: string, acting: ActingHandler): Promise<AdminSetting> => {
  if (!isSiteKey(key)) throw new Refusal('NOT_FOUND');
  return toAdminSetting(key, (await acting.state(siteConfig, SITE_CONFIG)).state.get(key));
};

export const resetSetting = (key: string, acting: ActingHandler) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ResetSetting', key });

export const siteSettingsOf = async (handler: Pick<CommandHandler, 'state'>): Promise<SiteSettings> => {
  const { state } = await handler.state(siteConfig, SITE_CONFIG);
  return siteSettings([...state].map(([key, { value }]) => ({ key, value })));
};
