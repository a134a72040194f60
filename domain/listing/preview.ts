const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const character = (code: number): string =>
  Number.isInteger(code) && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : '';

/** The words of a sanitized description, without its markup, on one line. */
export const plainText = (html: string): string =>
  html
    .replace(/<\/?(p|div|h[1-6]|li|ul|ol|br|blockquote)\b[^>]*>/gi, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi,
      (entity, hex, decimal, name: string | undefined) => {
        if (hex) return character(Number.parseInt(hex, 16));
        if (decimal) return character(Number(decimal));
        return ENTITIES[name?.toLowerCase() ?? ''] ?? entity;
      },
    )
    .replace(/\s+/g, ' ')
    .trim();

/** At most `most` characters, cut after a word where one ends near enough, with an ellipsis where something was cut. */
export const shorten = (text: string, most: number): string => {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > most * 0.7 ? cut.slice(0, space) : cut).trimEnd()}…`;
};

/** What an event's card says: at most 100 characters, and the specification's words for less than 15. */
export const cardPreview = (description: string): string => {
  const text = plainText(description);
  return [...text].length < 15 ? 'Click to view event details...' : shorten(text, 100);
};
