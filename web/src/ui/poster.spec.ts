import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Poster } from './poster.tsx';

/** Our stored picture of a width, as `infra/images` names it. */
const pathOf = (width: number): string => `/images/${'0a'.repeat(12)}-a1b2c3-${width}x300.webp`;
const drawn = (imageUrl: string): string => renderToStaticMarkup(createElement(Poster, { of: { imageUrl } }));

test.each([
  [480, ['480w']],
  [1600, ['480w', '960w', '1600w']],
])('a stored picture of %i pixels is asked for in the sizes that are there', (width, widths) => {
  const path = pathOf(width);
  const smaller = widths.slice(0, -1).map((size) => `${path.replace('.webp', `-${size}.webp`)} ${size}`);
  expect(drawn(path)).toContain(`srcSet="${[...smaller, `${path} ${width}w`].join(', ')}"`);
});

test('a stored picture loads from the host that the page was opened under, another site’s from there', () => {
  expect(drawn(`https://elsewhere.example${pathOf(700)}`)).not.toContain('elsewhere');
  expect(drawn('https://elsewhere.example/poster.webp')).toContain(
    'src="https://elsewhere.example/poster.webp"',
  );
});
