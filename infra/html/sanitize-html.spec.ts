import { describe, expect, it } from 'vitest';
import { plainText } from '#domain/listing/preview.ts';
import { HOSTILE_HTML, harmfulTags } from '#tests/kit/hostile-html.ts';
import { sanitizeDescription } from './sanitize-html.ts';

describe('a description', () => {
  it('keeps all markup that the editor produces', () => {
    const html =
      '<h2 style="text-align:center">Tonight</h2><p>Łódź’s <strong>finest</strong> &amp; <em>loudest</em>, <u>at</u> <s>nine</s> ten</p><ul><li>One</li></ul><blockquote style="margin-left:40px">Indented</blockquote>';
    expect(sanitizeDescription(html)).toBe(html);
  });

  it.each([
    [
      '<table><tr><td>Time</td><td>What</td></tr><tr><td>19:00</td><td>Doors</td></tr></table>',
      '<div><div>Time · What</div><div>19:00 · Doors</div></div>',
    ],
    [
      '<p>Tonight</p><table class="x"><caption>Order</caption><thead><tr>\n<th data-x="a > b">Time<th>What</thead><tbody><tr><td><p>19:00</p></td>\n<td></td><td><div><b>Doors</b></div></td></tr></tbody></table><p>Late</p>',
      '<p>Tonight</p><div><div>Order</div><div>Time · What</div><div>19:00 · <b>Doors</b></div></div><p>Late</p>',
    ],
  ])('has lines instead of a table, which the editor cannot edit: %s', (table, lines) => {
    expect(sanitizeDescription(table)).toBe(lines);
    expect(plainText(lines)).toMatch(/Time · What 19:00 · Doors/);
  });

  it('has links that do not give other sites access to the page', () => {
    expect(sanitizeDescription('<a href="https://example.org/a?b=1">more</a>')).toBe(
      '<a href="https://example.org/a?b=1" rel="noopener noreferrer nofollow" target="_blank">more</a>',
    );
  });

  it.each(HOSTILE_HTML)('is cleaned of anything that runs, loads or covers: %s', (vector) => {
    const clean = sanitizeDescription(`<p>before</p>${vector}<p>after</p>`);
    expect(harmfulTags(clean)).toEqual([]);
    expect(clean).toContain('before');
    expect(sanitizeDescription(clean)).toBe(clean);
  });

  it('can have extremely deep markup', () => {
    const deep = '<div>'.repeat(5_000);
    expect(sanitizeDescription(`${deep}x`).length).toBeLessThan(2_000);
  });

  it.each(['<tr>', '<td ', '<td x="', "<tr '<td", '<table '])('can repeat %s many times', (part) => {
    expect(harmfulTags(sanitizeDescription(part.repeat(50_000 / part.length)))).toEqual([]);
  });

  it('is empty if it had only dangerous markup', () => {
    expect(sanitizeDescription('<script>alert(1)</script>')).toBe('');
  });
});
