import { type Aggregate, badInput, reject } from '#domain/kernel/decider.ts';
import type { SiteConfigEvent } from './events.ts';
import { isSiteKey, siteDefaults } from './site-defaults.ts';

export interface Setting {
  readonly value: string;
  readonly description: string;
  readonly category: string;
}

/** Changed settings only; `siteDefaults` has the rest. */
export type SiteConfigState = ReadonlyMap<string, Setting & { readonly at: string }>;

export type SiteConfigCommand =
  | {
      readonly type: 'ChangeSetting';
      readonly key: string;
      readonly value: string;
      readonly description: string;
      readonly category: string;
    }
  | { readonly type: 'ResetSetting'; readonly key: string };

const COUNTS: ReadonlySet<string> = new Set(['featured_events_limit', 'events_per_page']);
const SWITCHES: ReadonlySet<string> = new Set(['newsletter_enabled', 'booking_enabled']);

const PICTURES: ReadonlySet<string> = new Set(['site_logo_url', 'hero_image_url']);

const complaint = (key: string, value: string): string | undefined => {
  if (!isSiteKey(key) || !value) return 'Please select a configuration setting and enter a value';
  if (SWITCHES.has(key) && value !== 'true' && value !== 'false') return 'The value has to be true or false';
  if (COUNTS.has(key) && !/^([1-9]\d?|1\d\d|200)$/.test(value)) return 'The value has to be from 1 to 200';
  if (PICTURES.has(key) && !/^(https?:\/\/|\/)[^\s/]\S*$/.test(value))
    return 'The value has to be the link of an image';
  if (key.startsWith('social_') && !/^https:\/\/[^\s/]+\S*$/.test(value))
    return 'The value has to be a link that begins with https://';
  if (key === 'contact_email' && !/^[^\s@]+@[^\s@]+$/.test(value))
    return 'The value has to be an email address';
  return undefined;
};

export const settingOf = (state: SiteConfigState, key: keyof typeof siteDefaults): string =>
  state.get(key)?.value ?? siteDefaults[key];

/** Refuses with BAD_INPUT: an unknown key or an invalid value. */
export const siteConfig: Aggregate<SiteConfigState, SiteConfigCommand, SiteConfigEvent> = {
  name: 'site',
  shown: (state) =>
    Object.fromEntries(
      Object.entries(siteDefaults).map(([key, value]) => [key, state.get(key)?.value ?? value]),
    ),
  initial: new Map(),
  evolve(state, event, at) {
    const settings = new Map(state);
    if (event.type === 'SettingReset') settings.delete(event.data.key);
    else {
      const { key, ...setting } = event.data;
      settings.set(key, { ...setting, at });
    }
    return settings;
  },
  decide(state, command) {
    if (command.type === 'ResetSetting') {
      const { key } = command;
      if (!isSiteKey(key)) return reject('NOT_FOUND');
      return state.has(key) ? [{ type: 'SettingReset', data: { key } }] : [];
    }
    const { type: _, ...data } = command;
    const value = data.value.trim();
    const refused = complaint(data.key, value);
    if (refused) return badInput({ value: refused });
    const before = state.get(data.key);
    const same =
      before?.value === value && before.description === data.description && before.category === data.category;
    return same ? [] : [{ type: 'SettingChanged', data: { ...data, value } }];
  },
};

export const SITE_CONFIG = 'config';
