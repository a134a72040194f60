/** Descriptions that try to run, load or cover something, and what may be left of them. */

export const HOSTILE_HTML: readonly string[] = [
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
  '<a href="/\\evil.test">x</a>',
  '<a href="/&#9;/evil.test">x</a>',
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

/** A tag that the list of `domain/listing/rich-text.ts` lets through, with nothing in it that it doesn't. */
const HARMLESS =
  /^<\/?(h[1-3]|p|div|br|blockquote|ul|ol|li|b|strong|i|em|u|s|strike|del|a|span)( (href="(https?:|mailto:|\/(?![/\\]))[^"]*"|rel="noopener noreferrer nofollow"|target="_blank"|style="(text-align:(left|right|center|justify)|margin-left:\d+px)(;(text-align:(left|right|center|justify)|margin-left:\d+px))*"))*( \/)?>$/;

/** The tags of a sanitized text that should not have been left. Tags and attributes only: as text, `onerror=` is harmless. */
export const harmfulTags = (clean: string): readonly string[] =>
  (clean.match(/<[^>]*>/g) ?? []).filter((tag) => !HARMLESS.test(tag));
