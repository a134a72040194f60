/**
 * What a description may hold: text, the markup of the editor's toolbar (headings 1–3, bold, italic, underline, strike, lists,
 * indent, link, align) and safe links. The server keeps nothing else, and the client shows nothing else: both read this list.
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

/** The properties of a `style`, and what their values look like: nothing that could cover the page or load anything. */
export const RICH_TEXT_STYLES: Readonly<Record<string, RegExp>> = {
  'text-align': /^(left|right|center|justify)$/,
  'margin-left': /^\d{1,3}px$/,
};

/** Every link opens a page of its own, which learns nothing of this one and gains nothing by it. */
export const LINK_ATTRIBUTES = { rel: 'noopener noreferrer nofollow', target: '_blank' } as const;

/** Whether a link may lead there: to a web address, to a mail, or to a path on this site. */
export const isSafeLink = (href: string): boolean =>
  // Browsers leave white space and control characters out of an address.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /^(https?:|mailto:|\/(?![/\\]))/i.test(href.replace(/[\u0000-\u0020]+/g, ''));
