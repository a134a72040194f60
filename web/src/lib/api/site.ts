import { type SiteSettings, siteCalls, siteSettings } from '#domain/contracts/site.ts';
import { useAnswer } from './use-answer.ts';

const defaults = siteSettings([]);

export const useSite = (): SiteSettings =>
  useAnswer(siteCalls.config, undefined, { refetchOnMount: true, select: siteSettings }).data ?? defaults;
