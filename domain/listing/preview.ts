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
