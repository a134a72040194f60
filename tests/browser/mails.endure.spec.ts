/** The site's own mails, as a phone shows them. */
import { expect, test } from 'vitest';
import { SITE_MAILS } from '#domain/content/site-mails.ts';
import { renderMail, sampleFor } from '#infra/mail/templates.ts';
import { inChromium } from '#tests/kit/browser.ts';

/** A value in which no line can be broken at a space. */
const unbroken = (value: unknown) =>
  typeof value === 'string' && !value.startsWith('http') ? value.replaceAll(' ', '').padEnd(60, 'x') : value;

inChromium('mails on a phone', (browser) => {
  test.each(SITE_MAILS)('%s fits the screen with very long names', async (kind) => {
    const sample = sampleFor(kind, 'https://reprise.test');
    const long = Object.fromEntries(
      Object.entries(sample).map(([name, value]) => [name, unbroken(value)]),
    ) as typeof sample;
    const page = await browser().newPage({ viewport: { width: 360, height: 700 } });
    await page.setContent((await renderMail(kind, long)).html);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.close();
  });
});
