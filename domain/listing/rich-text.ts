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

/** No value may cover the page or load anything. */
export const RICH_TEXT_STYLES: Readonly<Record<string, RegExp>> = {
  'text-align': /^(left|right|center|justify)$/,
  'margin-left': /^\d{1,3}px$/,
};

/** One level, below the page's title. */
export const lowerHeadings = (html: string): string =>
  // Safe on sanitized HTML only: its text has no `<`.
  html.replace(/(<\/?h)([1-3])\b/g, (_, opening: string, level: string) => opening + (Number(level) + 1));

export const LINK_ATTRIBUTES = { rel: 'noopener noreferrer nofollow', target: '_blank' } as const;

export const isSafeLink = (href: string): boolean =>
  // Browsers ignore white space and control characters in an address.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /^(https?:|mailto:|\/(?![/\\]))/i.test(href.replace(/[\u0000-\u0020]+/g, ''));
