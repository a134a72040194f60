/** A page of the site. */
interface SitePage {
  /** Its address, with `:name` for each parameter. */
  readonly path: string;
  /** The client's file that draws it (`web/src/pages`), where the query API renders it for strangers and search engines. Other pages are private. */
  readonly module?: string;
  /** Its title in the head of the rendered page. Default: the site's. */
  readonly title?: string;
  /** The parameters of its query that it reads. Others (campaigns) render no page of their own. */
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
 * All pages. The client's router has one for each path, the server answers any other address with 404, and the proxy's matchers and
 * `robots.txt` follow from them: `npx vitest run tests/client-pages.spec.ts -u` writes them into `infra/Caddyfile`.
 */
export const PAGES: readonly (SitePage & { readonly path: PagePath })[] = pages;
