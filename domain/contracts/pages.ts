interface SitePage {
  readonly path: string;
  /** Client file (below `web/src`) that the query API renders for visitors and search engines. */
  readonly module?: string;
  readonly title?: string;
  readonly reads?: readonly string[];
}

const pages = [
  { path: '/', module: 'app/pages/landing' },
  { path: '/landing', module: 'app/pages/landing' },
  {
    path: '/events',
    title: 'All Events',
    module: 'features/events/browse/events',
    reads: ['category', 'city', 'search', 'featured', 'sort'],
  },
  { path: '/events/:id', module: 'features/events/event' },
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
  { path: '/help', title: 'Help Center', module: 'features/help/help' },
  { path: '/contact', title: 'Contact', module: 'features/help/contact' },
  { path: '/about', title: 'About', module: 'features/help/about' },
  { path: '/privacy', title: 'Privacy Policy', module: 'features/help/legal/privacy' },
  { path: '/terms', title: 'Terms of Service', module: 'features/help/legal/terms' },
  { path: '/cookies', title: 'Cookie Policy', module: 'features/help/legal/cookies' },
] as const satisfies readonly SitePage[];

export type PagePath = (typeof pages)[number]['path'];

/**
 * For the client's router, the servers and `robots.txt`. `npx vitest run tests/client-pages.spec.ts -u`
 * updates `infra/Caddyfile`.
 */
export const PAGES: readonly (SitePage & { readonly path: PagePath })[] = pages;
