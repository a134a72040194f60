/** What a description may hold: the server and the browser let the same through, and nothing that harms. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { LINK_ATTRIBUTES, RICH_TEXT } from '#domain/listing/rich-text.ts';
import { sanitizeDescription } from '#infra/sanitize-html.ts';
import { inChromium } from '#tests/kit/browser.ts';
import { HOSTILE_HTML, harmfulTags } from '#tests/kit/hostile-html.ts';

declare const client: typeof import('#web/ui/sanitize.ts');

/** The client's sanitizer as a script that makes `client`. */
const clientScript = async (): Promise<string> => {
  const [built] = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: join(import.meta.dirname, '../../web/src/ui/sanitize.ts'),
        formats: ['iife'],
        name: 'client',
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
    await page.addScriptTag({ content: await clientScript() });
    page.on('dialog', (dialog) => {
      disturbances.push(dialog.message());
      return dialog.dismiss();
    });
    page.on('request', (request) => disturbances.push(request.url()));
  });

  test.each(allowed)('%s is kept by the server and by the client', async (html) => {
    expect(sanitizeDescription(html).replaceAll(' />', '>')).toBe(html);
    expect(await sanitized(html)).toBe(html);
  });

  describe.each([
    'position:fixed',
    'text-align:expression(alert(1))',
    'margin-left:-40px',
    'background:url(//evil.test)',
  ])('the style %s', (style) => {
    test('is kept by neither', async () => {
      const html = `<p style="${style}">x</p>`;
      expect(sanitizeDescription(html)).toBe('<p>x</p>');
      expect(await sanitized(html)).toBe('<p>x</p>');
    });
  });

  test.each(HOSTILE_HTML)('the client leaves nothing that runs, loads or covers: %s', async (vector) => {
    const html = `<p>before</p>${vector}<p>after</p>`;
    const clean = await sanitized(html);
    expect(harmfulTags(clean)).toEqual([]);
    expect(clean).toContain('before');
    expect(await sanitized(clean)).toBe(clean);
    await page.evaluate((dirty) => {
      document.body.innerHTML = client.sanitizeForPage(dirty);
    }, html);
    expect(disturbances).toEqual([]);
  });

  test('on a page its headings are below the page’s own, and keep their alignment', async () => {
    const html = '<h1 style="text-align:center">a</h1><h2>b</h2><h3>c <b>d</b></h3>';
    expect(await page.evaluate((dirty) => client.sanitizeForPage(dirty), html)).toBe(
      '<h2 style="text-align:center">a</h2><h3>b</h3><h4>c <b>d</b></h4>',
    );
  });
});
