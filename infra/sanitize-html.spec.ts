import { describe, expect, it } from 'vitest';
import { HOSTILE_HTML, harmfulTags } from '#tests/kit/hostile-html.ts';
import { sanitizeDescription } from './sanitize-html.ts';

describe('a description', () => {
  it('keeps what the editor makes', () => {
    const html =
      '<h2 style="text-align:center">Tonight</h2><p>Łódź’s <strong>finest</strong> &amp; <em>loudest</em>, <u>at</u> <s>nine</s> ten</p><ul><li>One</li></ul><blockquote style="margin-left:40px">Indented</blockquote>';
    expect(sanitizeDescription(html)).toBe(html);
  });

  it('lets links leave without handing over the page', () => {
    expect(sanitizeDescription('<a href="https://example.org/a?b=1">more</a>')).toBe(
      '<a href="https://example.org/a?b=1" rel="noopener noreferrer nofollow" target="_blank">more</a>',
    );
  });

  it.each(HOSTILE_HTML)('leaves nothing that runs, loads or covers: %s', (vector) => {
    const clean = sanitizeDescription(`<p>before</p>${vector}<p>after</p>`);
    expect(harmfulTags(clean)).toEqual([]);
    expect(clean).toContain('before');
    expect(sanitizeDescription(clean)).toBe(clean);
  });

  it('survives markup nested beyond reason', () => {
    const deep = '<div>'.repeat(5_000);
    expect(sanitizeDescription(`${deep}x`).length).toBeLessThan(2_000);
  });

  it('is empty for nothing but dangerous markup', () => {
    expect(sanitizeDescription('<script>alert(1)</script>')).toBe('');
  });
});
