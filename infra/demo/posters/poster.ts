import { type Chance, chanceOf } from './chance.ts';
import { concerts } from './concerts.ts';
import { culture } from './culture.ts';
import { dining } from './dining.ts';
import { fitTitle, line } from './lettering.ts';
import { nightlife } from './nightlife.ts';

/** What stands on a poster. */
export interface PosterFacts {
  readonly id: string | number;
  /** A category's slug; an unknown one is drawn as culture. */
  readonly category: string;
  readonly title: string;
  /** Venue and city. */
  readonly place: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** The colours of one poster: `ink` on `ground` for the title, `note` for date and place. */
export interface Palette {
  readonly ground: string;
  readonly ink: string;
  readonly note: string;
  readonly colors: readonly [string, string, string, string];
}

/** How a category looks: its palettes, and its drawings (SVG fragments on a field of 1600 by 1600). */
export interface Art {
  readonly palettes: readonly [Palette, ...Palette[]];
  readonly drawings: readonly [Drawing, ...Drawing[]];
  /** How gently the drawing gives way to the words: light fades, paper is cut. */
  readonly edge: 'fade' | 'cut';
}
export type Drawing = (chance: Chance, palette: Palette) => string;

const arts: Readonly<Record<string, Art>> = { concerts, dining, nightlife, culture };

/**
 * Side of the drawing. Pages show it whole as a square, or cropped to 4:3, so the words stay clear of the 200 at the top and the
 * bottom that the crop takes.
 */
const SIDE = 1600;
const LEFT = 116;
const WIDTH = SIDE - 2 * LEFT;
const BOTTOM = 1302;
const TITLE_HEIGHT = 480;
const LARGEST = 204;
const NOTE = 54;

const dayOf = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' })
    .format(new Date(`${date}T12:00:00Z`))
    .replace(',', '');

/** The ground rises over the drawing where the words stand, so that they read on every palette. */
const curtain = (ground: string, top: number, edge: Art['edge']): string => {
  const start = (top - (edge === 'fade' ? 150 : 42)) / SIDE;
  const full = (top - (edge === 'fade' ? 10 : 41)) / SIDE;
  const stop = (offset: number, opacity: number) =>
    `<stop offset="${offset.toFixed(4)}" stop-color="${ground}" stop-opacity="${opacity}"/>`;
  return `<linearGradient id="curtain" x1="0" y1="0" x2="0" y2="1">${stop(start, 0)}${stop(full, edge === 'fade' ? 0.97 : 1)}${stop(1, 1)}</linearGradient>`;
};

/** A listing's poster as SVG, always the same for the same facts. Its type is outlines: it needs no font to be drawn. */
export const drawPoster = ({ id, category, title, place, date }: PosterFacts): string => {
  const chance = chanceOf(`${category} ${id} ${title}`);
  const art = arts[category] ?? culture;
  // Neighbours differ: with four palettes and three drawings, twelve ids in a row have no look twice.
  const turn = typeof id === 'number' ? id : chance.whole(0, art.palettes.length * art.drawings.length - 1);
  const palette = art.palettes[turn % art.palettes.length] ?? art.palettes[0];
  const draw = art.drawings[turn % art.drawings.length] ?? art.drawings[0];
  const drawing = draw(chance, palette);
  const set = fitTitle(title, WIDTH, TITLE_HEIGHT, LARGEST);
  const first = BOTTOM - 92 - (set.lines.length - 1) * set.leading;
  const words = set.lines.map((text, index) =>
    line(text, 'title', set.size, LEFT - set.size * 0.03, first + index * set.leading, palette.ink),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">`,
    `<defs>${curtain(palette.ground, first - set.size, art.edge)}</defs>`,
    `<rect width="${SIDE}" height="${SIDE}" fill="${palette.ground}"/>`,
    drawing,
    `<rect width="${SIDE}" height="${SIDE}" fill="url(#curtain)"/>`,
    ...words,
    line(`${dayOf(date)}  ·  ${place}`, 'note', NOTE, LEFT, BOTTOM + 6, palette.note),
    '</svg>',
  ].join('');
};
