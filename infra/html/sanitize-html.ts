/**
 * Sanitizes descriptions and mails. Descriptions are written in a rich text editor and shown to everyone, so the server keeps only the
 * markup that this editor makes. The client sanitizes them again by the same list (`domain/listing/rich-text.ts`). Mails may have
 * tables, pictures and buttons besides.
 */
import sanitize from 'sanitize-html';
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

/** A description with only text, the editor's markup and safe links. Sanitizing it again changes nothing. */
export const sanitizeDescription = (html: string): string => sanitize(tablesAsLines(html), OPTIONS).trim();

/** The elements that a mail may have. */
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
  // What a condition in a template left empty.
  exclusiveFilter: ({ tag, text, mediaChildren }) =>
    tag === 'p' && text.trim() === '' && mediaChildren.length === 0,
};

/** The content of a mail: a description's markup, tables, pictures, links of the class `button`, and what somebody has `said`. */
export const sanitizeMail = (html: string): string => sanitize(html, MAIL_OPTIONS).trim();
