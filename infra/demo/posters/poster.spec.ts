import { expect, test } from 'vitest';
import { fitTitle, widthOf } from './lettering.ts';
import { drawPoster } from './poster.ts';

const facts = {
  id: 7,
  category: 'concerts',
  title: 'Brass Against the Rain',
  place: 'Band on the Wall',
  date: '2031-12-04',
};

test('the same facts give the same poster, and another listing another one', () => {
  expect(drawPoster(facts)).toBe(drawPoster(facts));
  expect(drawPoster({ ...facts, id: 8 })).not.toBe(drawPoster(facts));
});

test('words are outlines: they need no font and no escaping', () => {
  const svg = drawPoster({ ...facts, title: 'Łódź & <b>Friends</b>' });
  expect(svg).not.toMatch(/<text|<b>|NaN|undefined/);
});

test.each(['concerts', 'dining', 'nightlife', 'culture', 'unknown'])(
  '%s can be drawn for every id',
  (category) => {
    for (let id = 0; id < 20; id += 1)
      expect(drawPoster({ ...facts, id, category })).not.toMatch(/NaN|undefined|Infinity/);
  },
);

test('a title is as large as its box allows', () => {
  const long = fitTitle('Lantern Season: Winter Songs by Candlelight', 1080, 400, 168);
  expect(long.lines.length * long.leading).toBeLessThanOrEqual(400);
  for (const text of long.lines) expect(widthOf(text, 'title', long.size)).toBeLessThanOrEqual(1080);
  expect(fitTitle('Jazz', 1080, 400, 168).size).toBe(168);
});

test('the last line of a title does not hold a single short word', () => {
  expect(fitTitle('Northern Strings Play Glass and Pärt', 1368, 480, 204).lines).toEqual([
    'Northern',
    'Strings Play',
    'Glass and Pärt',
  ]);
});

test('twelve listings in a row all look different', () => {
  const looks = Array.from({ length: 12 }, (_, id) => {
    const svg = drawPoster({ ...facts, id, title: 'x' });
    const ground = /<rect width="1600" height="1600" fill="(#\w+)"/.exec(svg)?.[1];
    return `${ground} ${svg.includes('<circle')} ${svg.includes('q')}`;
  });
  expect(new Set(looks).size).toBe(12);
});
