import { describe, expect, it } from 'vitest';
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

  const vectors = [
    '<script>alert(1)</script>',
    '<ScRiPt src=//evil.test/x.js></ScRiPt>',
    '<img src=x onerror=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<svg onload=alert(1)>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href=" \u0001javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="//evil.test">x</a>',
    '<a href="https://ok.test" onclick="alert(1)">x</a>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<p style="position:fixed;inset:0;z-index:9999">x</p>',
    '<div style="text-align:expression(alert(1))">x</div>',
    '<style>@import "//evil.test/x.css";</style>',
    '<link rel=stylesheet href=//evil.test/x.css>',
    '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
    '<base href="//evil.test/">',
    '<form action="//evil.test"><input name=p autofocus onfocus=alert(1)><button formaction="javascript:alert(1)">x</button></form>',
    '<details open ontoggle=alert(1)>x</details>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<textarea></textarea><img src=x onerror=alert(1)>',
    '<p title="`<img src=x onerror=alert(1)>`" id="root" class="x" data-x="1">x</p>',
    '<!--[if IE]><script>alert(1)</script><![endif]-->',
    '<<script>script>alert(1)<</script>/script>',
    '<p <script>alert(1)</script>>x</p>',
    '"><img src=x onerror=alert(1)>',
    '<template><img src=x onerror=alert(1)></template>',
    '<b/onmouseover=alert(1)>x</b>',
  ];

  it.each(vectors)('leaves nothing that runs, loads or covers: %s', (vector) => {
    const clean = sanitizeDescription(`<p>before</p>${vector}<p>after</p>`);
    // Tags and attributes only: as text, `onerror=` is harmless.
    const tags = clean.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) {
      expect(tag).toMatch(
        /^<\/?(h[1-3]|p|div|br|blockquote|ul|ol|li|b|strong|i|em|u|s|strike|del|a|span)( (href="(https?:|mailto:)[^"]*"|rel="noopener noreferrer nofollow"|target="_blank"|style="(text-align:(left|right|center|justify)|margin-left:\d+px)"))*( \/)?>$/,
      );
    }
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
