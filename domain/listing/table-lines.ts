/** A quoted `>` doesn't end the tag. */
const ATTRIBUTES = `\\b(?:[^<>"']|"[^"]*"|'[^']*')*>`;
const ROW = new RegExp(`<tr${ATTRIBUTES}(.*?)(?:</tr>|(?=</?t(?:able|head|body|foot|r)\\b)|$)`, 'gis');
const CELL = new RegExp(`<t[dh]${ATTRIBUTES}`, 'i');
const BREAK = new RegExp(`</t[dh]>|</?(?:p|div|br)${ATTRIBUTES}`, 'gi');
const OUTER = new RegExp(`<(/?)(?:table|caption)${ATTRIBUTES}`, 'gi');

const line = (row: string): string => {
  const cells = row.split(CELL).map((cell) => cell.replace(BREAK, ' ').trim());
  return `<div>${cells.filter(Boolean).join(' · ')}</div>`;
};

/** One line per table row, since the editor has no tables. Sanitize the result. */
export const tablesAsLines = (html: string): string =>
  html.replace(ROW, (_, row: string) => line(row)).replace(OUTER, '<$1div>');
