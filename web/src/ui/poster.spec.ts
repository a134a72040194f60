import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { posterPath } from '#domain/answers/picture.ts';
import { Poster } from './poster.tsx';

/** Our stored picture of a width, as `infra/images` names it. */
const pathOf = (width: number): string => `/images/${'0a'.repeat(12)}-a1b2c3-${width}x300.webp`;
const drawn = (imageUrl: string): string => renderToStaticMarkup(createElement(Poster, { of: { imageUrl } }));

test.each([
  [480, ['480w']],
  [1600, ['480w', '960w', '1600w']],
])('a stored image of %i pixels is requested in the existing sizes', (width, widths) => {
  const path = pathOf(width);
  const smaller = widths.slice(0, -1).map((size) => `${path.replace('.webp', `-${size}.webp`)} ${size}`);
  expect(drawn(path)).toContain(`srcSet="${[...smaller, `${path} ${width}w`].join(', ')}"`);
});

test('a stored image loads from the host that the page was opened under, and another site’s from there', () => {
  expect(drawn(`https://elsewhere.example${pathOf(700)}`)).not.toContain('elsewhere');
  expect(drawn('https://elsewhere.example/poster.webp')).toContain(
    'src="https://elsewhere.example/poster.webp"',
  );
});

const event = {
  id: 7,
  category: 'culture',
  title: 'Moths',
  date: '2031-12-04',
  venue: 'Chapter',
  city: 'Cardiff',
};

test('an event without an image shows the site’s poster, and another one for other words', () => {
  const withPicture = (imageUrl: string | null) =>
    renderToStaticMarkup(createElement(Poster, { of: { ...event, imageUrl, picture: null } }));
  expect(withPicture(null)).toContain(`src="${posterPath(event)}"`);
  expect(withPicture(pathOf(480))).not.toContain('/images/posters/');
  const changed = [
    { title: 'Owls' },
    { category: 'dining' },
    { date: '2031-12-05' },
    { venue: 'Hall' },
    { city: 'Leeds' },
  ];
  const paths = changed.map((change) => posterPath({ ...event, ...change }));
  expect(new Set([posterPath(event), ...paths]).size).toBe(6);
});
