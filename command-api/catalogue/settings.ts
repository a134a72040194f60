import type { ActingLane, Lane } from '#command-api/lane/lane.ts';
import { toAdminSetting } from '#domain/answers/content.ts';
import { SITE_CONFIG, siteConfig } from '#domain/content/site-config.ts';
import { isSiteKey } from '#domain/content/site-defaults.ts';
import type { AdminSetting, SettingRequest } from '#domain/contracts/admin-site.ts';
import { type SiteSettings, siteSettings } from '#domain/contracts/site.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

/** Changes a setting of the site. @throws Refusal BAD_INPUT if the key is unknown or the value invalid */
export const changeSetting = (request: Omit<SettingRequest, 'revision'>, acting: ActingLane) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ChangeSetting', ...request });

/** A setting as superusers see it. @throws Refusal NOT_FOUND if the key is unknown */
export const adminSettingOf = async (key: string, acting: ActingLane): Promise<AdminSetting> => {
  if (!isSiteKey(key)) throw new Refusal('NOT_FOUND');
  return toAdminSetting(key, (await acting.state(siteConfig, SITE_CONFIG)).state.get(key));
};

/** Gives a setting its default again. @throws Refusal NOT_FOUND if the key is unknown */
export const resetSetting = (key: string, acting: ActingLane) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ResetSetting', key });

/** The settings as they are now. */
export const siteSettingsOf = async (lane: Pick<Lane, 'state'>): Promise<SiteSettings> => {
  const { state } = await lane.state(siteConfig, SITE_CONFIG);
  return siteSettings([...state].map(([key, { value }]) => ({ key, value })));
};
