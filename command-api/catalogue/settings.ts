import type { ActingLane } from '#command-api/lane/lane.ts';
import { SITE_CONFIG, type SiteConfigCommand, siteConfig } from '#domain/content/site-config.ts';

/** A setting as the configuration dialog sends it. */
export type SettingRequest = Omit<SiteConfigCommand, 'type'>;

/** Changes a setting of the site. @throws Refusal BAD_INPUT if the key is unknown or the value invalid */
export const changeSetting = (request: SettingRequest, acting: ActingLane) =>
  acting.do(siteConfig, SITE_CONFIG, { type: 'ChangeSetting', ...request });
