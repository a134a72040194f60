/**
 * What a description may contain: text, safe links, and the markup of the editor's toolbar (headings 1–3, bold, italic, underline, strike,
 * lists, indent, link, align). The server keeps and the client shows only this: both use this list.
 */

const BLOCK = ['style'];

/** The elements, and the attributes that each may have. */
export const RICH_TEXT: Readonly<Record<string, readonly string[]>> = {
  h1: BLOCK,
  h2: BLOCK,
  h3: BLOCK,
  p: BLOCK,
  div: BLOCK,
  blockquote: BLOCK,
  li: BLOCK,
  ul: [],
  ol: [],
  br: [],
  b: [],
  strong: [],
  i: [],
  em: [],
  u: [],
  s: [],
  strike: [],
  del: [],
  span: [],
  a: ['href', 'rel', 'target'],
};

/** The allowed properties of `style`, and the form of their values. None can cover the page or load anything. */
export const RICH_TEXT_STYLES: Readonly<Record<string, RegExp>> = {
  'text-align': /^(left|right|center|justify)$/,
  'margin-left': /^\d{1,3}px$/,
};

/** On a page, headings move one level down, below the page's title. In this order none is moved twice. */
export const LOWERED_HEADINGS: Readonly<Record<string, string>> = { h3: 'h4', h2: 'h3', h1: 'h2' };

/** The attributes of every link: it opens a new page, which learns nothing about this one, and search engines don't follow it. */
export const LINK_ATTRIBUTES = { rel: 'noopener noreferrer nofollow', target: '_blank' } as const;

/** Whether a link is safe: it leads to a web address, an email address or a path on this site. */
export const isSafeLink = (href: string): boolean =>
  // Browsers ignore white space and control characters in an address.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /^(https?:|mailto:|\/(?![/\\]))/i.test(href.replace(/[\u0000-\u0020]+/g, ''));
