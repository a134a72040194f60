/** Descriptions have only the rich text editor's markup (`domain/listing/rich-text.ts`). */
import { LRUCache } from 'lru-cache';
import sanitize from 'sanitize-html';
import type { SafeHtml } from '#domain/contracts/catalogue.ts';
import { isSafeLink, LINK_ATTRIBUTES, RICH_TEXT, RICH_TEXT_STYLES } from '#domain/listing/rich-text.ts';
import { tablesAsLines } from '#domain/listing/table-lines.ts';

const safeLink = ({ href }: sanitize.Attributes): sanitize.Attributes => ({
  ...(href !== undefined && isSafeLink(href) ? { href } : {}),
  ...LINK_ATTRIBUTES,
});

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
    a: (tagName, attribs) => ({ tagName, attribs: safeLink(attribs) }),
  },
};

/** Sanitizing takes 0.2 ms or more. */
const sanitized = new LRUCache<string, SafeHtml>({
  maxSize: 4_000_000,
  sizeCalculation: (clean, html) => clean.length + html.length + 1,
});

/** Idempotent. */
export const sanitizeDescription = (html: string): SafeHtml => {
  const known = sanitized.get(html);
  if (known !== undefined) return known;
  const clean = sanitize(tablesAsLines(html), OPTIONS).trim() as SafeHtml;
  sanitized.set(html, clean);
  return clean;
};

export const MAIL_TAGS: string[] = [
  ...Object.keys(RICH_TEXT),
  'hr',
  'img',
  'table',
  'tbody',
  'tr',
  'th',
  'td',
];

const MAIL_OPTIONS: sanitize.IOptions = {
  ...OPTIONS,
  allowedTags: MAIL_TAGS,
  allowedAttributes: { ...OPTIONS.allowedAttributes, img: ['src', 'alt', 'width', 'height'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowedClasses: { a: ['button'], blockquote: ['said'] },
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: { ...safeLink(attribs), ...(attribs.class !== undefined && { class: attribs.class }) },
    }),
  },
  exclusiveFilter: ({ tag, text, mediaChildren }) =>
    tag === 'p' && text.trim() === '' && mediaChildren.length === 0,
};

export const sanitizeMail = (html: string): string => sanitize(html, MAIL_OPTIONS).trim();
