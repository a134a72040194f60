/** What the server answers and the editor takes. */

const BLOCK = ['style'];

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

/** None can cover the page or load anything. */
export const RICH_TEXT_STYLES: Readonly<Record<string, RegExp>> = {
  'text-align': /^(left|right|center|justify)$/,
  'margin-left': /^\d{1,3}px$/,
};

/** Moves the headings of sanitized HTML one level down, below the page's title. */
export const lowerHeadings = (html: string): string =>
  // Anything that starts like this in sanitized HTML is an element: in text, `<` is escaped.
  html.replace(/(<\/?h)([1-3])\b/g, (_, opening: string, level: string) => opening + (Number(level) + 1));

/** Opens a new page without a referrer; search engines don't follow it. */
export const LINK_ATTRIBUTES = { rel: 'noopener noreferrer nofollow', target: '_blank' } as const;

export const isSafeLink = (href: string): boolean =>
  // Browsers ignore white space and control characters in an address.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /^(https?:|mailto:|\/(?![/\\]))/i.test(href.replace(/[\u0000-\u0020]+/g, ''));
