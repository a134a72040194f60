/**
 * Sanitizes descriptions. They are written in a rich text editor and shown to everyone, so the server keeps only the markup that this
 * editor makes. The client sanitizes them again by the same list (`domain/listing/rich-text.ts`).
 */
import sanitize from 'sanitize-html';
import { isSafeLink, LINK_ATTRIBUTES, RICH_TEXT, RICH_TEXT_STYLES } from '#domain/listing/rich-text.ts';

const OPTIONS: sanitize.IOptions = {
  allowedTags: Object.keys(RICH_TEXT),
  allowedAttributes: Object.fromEntries(Object.entries(RICH_TEXT).map(([tag, names]) => [tag, [...names]])),
  allowedStyles: {
    '*': Object.fromEntries(Object.entries(RICH_TEXT_STYLES).map(([name, value]) => [name, [value]])),
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesAppliedToAttributes: ['href'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 30,
  transformTags: {
    a: (tagName, { href }) => ({
      tagName,
      attribs: { ...(href !== undefined && isSafeLink(href) ? { href } : {}), ...LINK_ATTRIBUTES },
    }),
  },
};

/** A description with only text, the editor's markup and safe links. Sanitizing it again changes nothing. */
export const sanitizeDescription = (html: string): string => sanitize(html, OPTIONS).trim();
