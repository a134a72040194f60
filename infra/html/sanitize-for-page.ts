import { LOWERED_HEADINGS } from '#domain/listing/rich-text.ts';
import { sanitizeDescription } from './sanitize-html.ts';

export { sanitizeDescription as sanitize };

export const sanitizeForPage = (html: string): string =>
  // Safe on sanitized markup: `<` outside of elements is escaped.
  sanitizeDescription(html).replace(
    /(<\/?)(h[1-3])\b/g,
    (_, opening: string, level: string) => opening + (LOWERED_HEADINGS[level] ?? level),
  );
