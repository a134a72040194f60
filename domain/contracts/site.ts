import * as z from 'zod/mini';
import { type SiteKey, siteDefaults } from '#domain/content/site-defaults.ts';
import { call } from './call.ts';

export const siteConfigEntry = z.object({ key: z.string(), value: z.string() });
export type SiteConfigEntry = z.infer<typeof siteConfigEntry>;

export interface SiteSettings {
  readonly siteName: string;
  readonly siteTagline: string;
  readonly logoUrl: string;
  readonly heroImageUrl: string;
  readonly contactEmail: string;
  readonly contactPhone: string;
  readonly newsletterEnabled: boolean;
  readonly bookingEnabled: boolean;
  readonly featuredEventsLimit: number;
  readonly eventsPerPage: number;
  readonly socialFacebook: string;
  readonly socialTwitter: string;
  readonly socialInstagram: string;
}

const countOr = (value: string, fallback: string): number => {
  const count = Number(value);
  return Number.isInteger(count) && count > 0 && count <= 500 ? count : Number(fallback);
};

/** Blank or missing entries mean the default. */
export const siteSettings = (entries: readonly SiteConfigEntry[]): SiteSettings => {
  const set = new Map(entries.map((entry) => [entry.key, entry.value]));
  const of = (key: SiteKey) => set.get(key)?.trim() || siteDefaults[key];
  return {
    siteName: of('site_name'),
    siteTagline: of('site_tagline'),
    logoUrl: of('site_logo_url'),
    heroImageUrl: of('hero_image_url'),
    contactEmail: of('contact_email'),
    contactPhone: of('contact_phone'),
    newsletterEnabled: of('newsletter_enabled') !== 'false',
    bookingEnabled: of('booking_enabled') !== 'false',
    featuredEventsLimit: countOr(of('featured_events_limit'), siteDefaults.featured_events_limit),
    eventsPerPage: countOr(of('events_per_page'), siteDefaults.events_per_page),
    socialFacebook: of('social_facebook'),
    socialTwitter: of('social_twitter'),
    socialInstagram: of('social_instagram'),
  };
};

export const stripeConfig = z.object({
  publishableKey: z.string(),
  mode: z.enum(['stripe', 'sandbox']),
  /** In the sandbox or the provider's test mode. */
  testPayments: z.boolean(),
});
export type StripeConfig = z.infer<typeof stripeConfig>;

const everybody = { capability: 'browse', session: 'ignored' } as const;

export const siteCalls = {
  config: call('GET /api/site-config', { answer: z.array(siteConfigEntry), ...everybody }),
  payments: call('GET /api/stripe-config', { answer: stripeConfig, ...everybody }),
};
