import { expect, test } from 'vitest';
import { fitTitle } from './lettering.ts';
import { drawPoster } from './poster.ts';

const facts = {
  id: 7,
  category: 'concerts',
  title: 'Brass Against the Rain',
  venue: 'Band on the Wall',
  city: 'Manchester',
  date: '2031-12-04',
};

test('a poster is the same for the same facts, and differs between listings', () => {
  expect(drawPoster(facts)).toBe(drawPoster(facts));
  expect(drawPoster({ ...facts, id: 8 })).not.toBe(drawPoster(facts));
});

test('a poster’s text is made of outlines, without fonts or escaping', () => {
  const svg = drawPoster({ ...facts, title: 'Łódź & <b>Friends</b>' });
  expect(svg).not.toMatch(/<text|<b>|NaN|undefined/);
});

test.each(['concerts', 'dining', 'nightlife', 'culture', 'unknown'])(
  'a poster for %s can be drawn for every id',
  (category) => {
    for (let id = 0; id < 20; id += 1)
      expect(drawPoster({ ...facts, id, category })).not.toMatch(/NaN|undefined|Infinity/);
  },
);

test('a poster’s title is as large as its box allows and never too small to read', () => {
  expect(fitTitle('Jazz')).toEqual({ lines: ['Jazz'], size: 204 });
  const long = fitTitle('Lantern Season: Winter Songs by Candlelight');
  expect(long.lines).toHaveLength(3);
  expect(long.size).toBeLessThan(204);
  const endless = fitTitle('word '.repeat(100));
  expect(endless.size).toBe(72);
  expect(endless.lines.at(-1)).toMatch(/…$/);
});

test('a poster’s title does not end with a single short word on its last line', () => {
  expect(fitTitle('Northern Strings Play Glass and Pärt').lines).toEqual([
    'Northern',
    'Strings Play',
    'Glass and Pärt',
  ]);
});

test('a poster breaks a word that is wider than itself', () => {
  const { lines } = fitTitle('Donaudampfschifffahrtselektrizitätenhauptbetriebswerk');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join('')).toBe('Donaudampfschifffahrtselektrizitätenhauptbetriebswerk');
});

test.each(['张伟钢琴独奏音乐会', 'أمسية الموسيقى', 'हिन्दी', '한국', '🎉', '…', 'X'])(
  'a poster’s title %s is set in outlines',
  (title) => {
    const svg = drawPoster({ ...facts, title });
    expect(fitTitle(title).lines).not.toEqual([]);
    expect(svg).not.toMatch(/<text|NaN|undefined/);
  },
);

test('a poster has its picture even if the title has nothing to draw', () => {
  expect(fitTitle('\u200b').lines).toEqual([]);
  expect(drawPoster({ ...facts, title: '\u200b' })).not.toMatch(/NaN|undefined/);
});

test('posters of twelve consecutive listings all look different', () => {
  const looks = Array.from({ length: 12 }, (_, id) => {
    const svg = drawPoster({ ...facts, id, title: 'x' });
    const ground = /<rect width="1600" height="1600" fill="(#\w+)"/.exec(svg)?.[1];
    return `${ground} ${svg.includes('<circle')} ${svg.includes('q')}`;
  });
  expect(new Set(looks).size).toBe(12);
});
