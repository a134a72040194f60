/** What `web/src/ui/sanitize.ts` does in a browser, for pages that are rendered on the server: the build puts this in its place. */
import { LOWERED_HEADINGS } from '#domain/listing/rich-text.ts';
import { sanitizeDescription } from './sanitize-html.ts';

export { sanitizeDescription as sanitize };

/** A description for a page: its headings are one level below the page's title. */
export const sanitizeForPage = (html: string): string =>
  // All that begins so in sanitized markup is an element: elsewhere `<` is escaped.
  sanitizeDescription(html).replace(
    /(<\/?)(h[1-3])\b/g,
    (_, opening: string, level: string) => opening + (LOWERED_HEADINGS[level] ?? level),
  );
