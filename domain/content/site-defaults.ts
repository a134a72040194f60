/** Keys from the superusers' specification, section 3. */
export const siteDefaults = {
  site_name: 'Reprise',
  site_tagline: 'Discover Amazing Events',
  site_logo_url: '/logo.png',
  hero_image_url: '/hero-bg.jpg',
  contact_email: '',
  contact_phone: '',
  newsletter_enabled: 'true',
  booking_enabled: 'true',
  featured_events_limit: '6',
  events_per_page: '12',
  social_facebook: '',
  social_twitter: '',
  social_instagram: '',
} as const;
export type SiteKey = keyof typeof siteDefaults;

export const isSiteKey = (key: string): key is SiteKey => Object.hasOwn(siteDefaults, key);
