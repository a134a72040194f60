import { SITE_CONFIG, type SiteConfigCommand, siteConfig } from '#domain/content/site-config.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { accepted } from '#infra/http/errors.ts';
import type { CatalogueDeps } from './deps.ts';

/** A setting as the configuration dialog sends it. */
export type SettingRequest = Omit<SiteConfigCommand, 'type'>;

/** Changes a setting of the site. @throws HttpError BAD_INPUT for a key or a value that can't be */
export const changeSetting = async (
  { lane }: Pick<CatalogueDeps, 'lane'>,
  request: SettingRequest,
  context: Context,
): Promise<Position> => {
  const command = { type: 'ChangeSetting', ...request } as const;
  return accepted(await lane.execute(siteConfig, SITE_CONFIG, command, context)).position;
};
