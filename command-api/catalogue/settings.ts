import type { ActingLane, Lane } from '#command-api/lane/lane.ts';
import { toAdminSetting } from '#domain/answers/content.ts';
import { SITE_CONFIG, siteConfig } from '#domain/content/site-config.ts';
import { isSiteKey } from '#domain/content/site-defaults.ts';
import type { AdminSetting, SettingRequest } from '#domain/contracts/admin-site.ts';
import { type SiteSettings, siteSettings } from '#domain/contracts/site.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

export const changeSetting = (request: Omit<SettingRequest, 'revision'>, acting: ActingLane) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ChangeSetting', ...request });

export const adminSettingOf = async (key: string, acting: ActingLane): Promise<AdminSetting> => {
  if (!isSiteKey(key)) throw new Refusal('NOT_FOUND');
  return toAdminSetting(key, (await acting.state(siteConfig, SITE_CONFIG)).state.get(key));
};

export const resetSetting = (key: string, acting: ActingLane) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ResetSetting', key });

export const siteSettingsOf = async (lane: Pick<Lane, 'state'>): Promise<SiteSettings> => {
  const { state } = await lane.state(siteConfig, SITE_CONFIG);
  return siteSettings([...state].map(([key, { value }]) => ({ key, value })));
};
