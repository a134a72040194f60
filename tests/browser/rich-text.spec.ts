/** What a description may hold: the server and the browser let the same through, and nothing that harms. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { LINK_ATTRIBUTES, RICH_TEXT } from '#domain/listing/rich-text.ts';
import { sanitizeDescription } from '#infra/html/sanitize-html.ts';
import { inChromium } from '#tests/kit/browser.ts';
import { HOSTILE_HTML, harmfulTags } from '#tests/kit/hostile-html.ts';

declare const client: typeof import('#web/ui/sanitize.ts');
declare const paste: typeof import('#web/ui/pasted.ts');

/** A file of the client's as a script that makes what it exports, under a name. */
const clientScript = async (file: string, name: string): Promise<string> => {
  const [built] = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: join(import.meta.dirname, '../../web/src/ui', file),
        formats: ['iife'],
        name,
      },
    },
  })) as Rolldown.RolldownOutput[];
  return built?.output[0].code ?? '';
};

const { rel, target } = LINK_ATTRIBUTES;
const link = (href: string) => `<a href="${href}" rel="${rel}" target="${target}">x</a>`;

/** Each element of the list, with each of its attributes. */
const allowed = [
  ...Object.entries(RICH_TEXT).flatMap(([tag, names]) => {
    if (tag === 'a') return [];
    if (tag === 'br') return ['x<br>y'];
    const styles = ['text-align:left', 'text-align:right', 'text-align:center', 'text-align:justify'];
    const styled = names.includes('style')
      ? [...styles, 'margin-left:40px', 'text-align:center;margin-left:40px'].map(
          (style) => ` style="${style}"`,
        )
      : [];
    return ['', ...styled].map((attribute) => `<${tag}${attribute}>x</${tag}>`);
  }),
  ...['https://example.org/a?b=1', 'http://example.org', 'mailto:hello@example.org', '/events/3'].map(link),
];

inChromium('a description', (browser) => {
  let page: Page;
  const disturbances: string[] = [];
  const sanitized = (html: string) => page.evaluate((dirty) => client.sanitize(dirty), html);

  beforeAll(async () => {
    page = await browser().newPage();
    await page.addScriptTag({ content: await clientScript('sanitize.ts', 'client') });
    await page.addScriptTag({ content: await clientScript('pasted.ts', 'paste') });
    page.on('dialog', (dialog) => {
      disturbances.push(dialog.message());
      return dialog.dismiss();
    });
    page.on('request', (request) => disturbances.push(request.url()));
  });

  test.each(allowed)('keeps %s on the server and in the client', async (html) => {
    expect(sanitizeDescription(html).replaceAll(' />', '>')).toBe(html);
    expect(await sanitized(html)).toBe(html);
  });

  describe.each([
    'position:fixed',
    'text-align:expression(alert(1))',
    'margin-left:-40px',
    'background:url(//evil.test)',
  ])('with the style %s', (style) => {
    test('loses it on the server and in the client', async () => {
      const html = `<p style="${style}">x</p>`;
      expect(sanitizeDescription(html)).toBe('<p>x</p>');
      expect(await sanitized(html)).toBe('<p>x</p>');
    });
  });

  test.each(HOSTILE_HTML)('shows nothing in the client that runs, loads or covers: %s', async (vector) => {
    const html = `<p>before</p>${vector}<p>after</p>`;
    const clean = await sanitized(html);
    expect(harmfulTags(clean)).toEqual([]);
    expect(clean).toContain('before');
    expect(await sanitized(clean)).toBe(clean);
    await page.evaluate((dirty) => {
      document.body.innerHTML = client.sanitize(dirty);
    }, html);
    expect(disturbances).toEqual([]);
  });

  const GOOGLE_DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-5f"><p dir="ltr" style="line-height:1.38"><span style="font-weight:400;font-style:normal;text-decoration:none">Doors at </span><span style="font-weight:700;font-style:italic">seven</span></p></b>`;
  const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style></head><body><!--StartFragment-->
<p class=MsoNormal><b>Bring<o:p></o:p></b></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>a coat</p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span><![endif]>a friend</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>Come</p><!--EndFragment--></body></html>`;
  test.each([
    ['Google Docs', GOOGLE_DOCS, '<p>Doors at <i><b>seven</b></i></p>'],
    ['Word', WORD, '<p><b>Bring</b></p><ul><li>a coat</li><li>a friend</li></ul><ol><li>Come</li></ol>'],
  ])(
    'pasted from %s keeps bold text and lists, and no other text becomes bold',
    async (_, copied, pasted) => {
      const markup = await page.evaluate((html) => paste.pastedMarkup(html), copied);
      const plain = markup.replace(/<\/?span>/g, '').replace(/\s*\n\s*/g, '');
      expect(plain).toBe(pasted);
    },
  );
});
