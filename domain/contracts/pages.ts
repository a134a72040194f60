interface SitePage {
  readonly path: string;
  /** In `web/src/pages`: rendered by the query API for visitors and search engines. Other pages are private. */
  readonly module?: string;
  readonly title?: string;
  readonly reads?: readonly string[];
}

const pages = [
  { path: '/', module: 'landing/landing' },
  { path: '/landing', module: 'landing/landing' },
  {
    path: '/events',
    title: 'All Events',
    module: 'events/events',
    reads: ['category', 'city', 'search', 'featured', 'sort'],
  },
  { path: '/events/:id', module: 'event/event' },
  { path: '/booking/:eventId' },
  { path: '/profile' },
  { path: '/profile/security' },
  { path: '/profile-complete' },
  { path: '/profile-deleted' },
  { path: '/auth' },
  { path: '/verify-email' },
  { path: '/reset-password' },
  { path: '/newsletter-unsubscribe' },
  { path: '/scanner' },
  { path: '/verify-ticket/:token' },
  { path: '/T/:token' },
  { path: '/admin' },
  { path: '/audit' },
  { path: '/help', title: 'Help Center', module: 'help/help' },
  { path: '/contact', title: 'Contact', module: 'contact/contact' },
  { path: '/about', title: 'About', module: 'about/about' },
  { path: '/privacy', title: 'Privacy Policy', module: 'legal/privacy' },
  { path: '/terms', title: 'Terms of Service', module: 'legal/terms' },
  { path: '/cookies', title: 'Cookie Policy', module: 'legal/cookies' },
] as const satisfies readonly SitePage[];

export type PagePath = (typeof pages)[number]['path'];

/**
 * For the client's router, the servers and `robots.txt`. `npx vitest run tests/client-pages.spec.ts -u`
 * updates `infra/Caddyfile`.
 */
export const PAGES: readonly (SitePage & { readonly path: PagePath })[] = pages;
