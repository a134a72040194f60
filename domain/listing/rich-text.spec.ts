import { expect, it } from 'vitest';
import { lowerHeadings } from './rich-text.ts';

it('a description’s headings are shown below the page’s own, with their alignment', () => {
  const html = '<h1 style="text-align:center">a</h1><h2>b</h2><h3>c <b>d</b> &lt;h1></h3>';
  expect(lowerHeadings(html)).toBe(
    '<h2 style="text-align:center">a</h2><h3>b</h3><h4>c <b>d</b> &lt;h1></h4>',
  );
});
