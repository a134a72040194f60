/**
 * Descriptions are written in a rich text editor and shown to everyone, so the server keeps only what that editor makes.
 * The client sanitizes again where it shows them.
 */
import sanitize from 'sanitize-html';

/** `text-align` and the editor's indentation, nothing that could cover the page or load anything. */
const ALIGNMENT = /^(left|right|center|justify)$/;
const INDENT = /^\d{1,3}px$/;

/** The toolbar of the specification: headings 1–3, bold, italic, underline, strike, lists, indent, link, align. */
const OPTIONS: sanitize.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'p', 'div', 'br', 'blockquote', 'ul', 'ol', 'li'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del', 'a', 'span'],
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    ...Object.fromEntries(['h1', 'h2', 'h3', 'p', 'div', 'li', 'blockquote'].map((tag) => [tag, ['style']])),
  },
  allowedStyles: { '*': { 'text-align': [ALIGNMENT], 'margin-left': [INDENT] } },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesAppliedToAttributes: ['href'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 30,
  transformTags: {
    a: (tagName, { href }) => ({
      tagName,
      attribs: {
        ...(href === undefined ? {} : { href }),
        rel: 'noopener noreferrer nofollow',
        target: '_blank',
      },
    }),
  },
};

/** The description with nothing left in it but text, the editor's markup and safe links. Sanitizing twice changes nothing. */
export const sanitizeDescription = (html: string): string => sanitize(html, OPTIONS).trim();
