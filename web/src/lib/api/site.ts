import { useQuery } from '@tanstack/react-query';
import { type SiteSettings, siteCalls, siteSettings } from '#domain/contracts/site.ts';
import { call } from './client.ts';
import { keyOf } from './key-of.ts';

const defaults = siteSettings([]);

export const useSite = (): SiteSettings =>
  useQuery({
    queryKey: keyOf(siteCalls.config),
    queryFn: ({ signal }) => call(siteCalls.config, { signal }),
    select: siteSettings,
  }).data ?? defaults;
