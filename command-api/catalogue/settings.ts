import type { ActingLane } from '#command-api/lane/lane.ts';
import { SITE_CONFIG, siteConfig } from '#domain/content/site-config.ts';
import type { SettingRequest } from '#domain/contracts/admin-site.ts';

/** Changes a setting of the site. @throws Refusal BAD_INPUT if the key is unknown or the value invalid */
export const changeSetting = (request: SettingRequest, acting: ActingLane) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ChangeSetting', ...request });

/** Gives a setting its default again. @throws Refusal NOT_FOUND if the key is unknown */
export const resetSetting = (key: string, acting: ActingLane) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ResetSetting', key });
