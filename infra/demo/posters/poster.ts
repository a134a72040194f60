import { type Art, chanceOf } from './art.ts';
import { concerts } from './concerts.ts';
import { culture } from './culture.ts';
import { dining } from './dining.ts';
import { fitTitle, line } from './lettering.ts';
import { nightlife } from './nightlife.ts';

/** The facts of a listing that its poster shows. */
export interface PosterFacts {
  readonly id: string | number;
  /** The category's slug. An unknown one is drawn like culture. */
  readonly category: string;
  readonly title: string;
  /** Venue and city, as one text. */
  readonly place: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

const arts: Readonly<Record<string, Art>> = { concerts, dining, nightlife, culture };

/**
 * The side of the square poster, in units of the drawing, as all lengths here. Pages show the square, or cut 200 off its top and
 * bottom (4:3): the words stay clear of these.
 */
const SIDE = 1600;
/** The picture's side in pixels. Its flat colours look as good at this size, and it takes half the time. */
const PIXELS = 1200;
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

/** A gradient that covers the picture with the ground's colour where the words are, so that they can be read. */
const curtain = (ground: string, top: number, edge: Art['edge']): string => {
  const start = (top - (edge === 'fade' ? 150 : 42)) / SIDE;
  const full = (top - (edge === 'fade' ? 10 : 41)) / SIDE;
  const stop = (offset: number, opacity: number) =>
    `<stop offset="${offset.toFixed(4)}" stop-color="${ground}" stop-opacity="${opacity}"/>`;
  return `<linearGradient id="curtain" x1="0" y1="0" x2="0" y2="1">${stop(start, 0)}${stop(full, edge === 'fade' ? 0.97 : 1)}${stop(1, 1)}</linearGradient>`;
};

/** A listing's poster as SVG, always the same for the same facts. Its letters are outlines: no font is needed to render it. */
export const drawPoster = ({ id, category, title, place, date }: PosterFacts): string => {
  const chance = chanceOf(`${category} ${id} ${title}`);
  const art = arts[category] ?? culture;
  // With four palettes and three drawings, twelve ids in a row all look different.
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
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PIXELS}" height="${PIXELS}" viewBox="0 0 ${SIDE} ${SIDE}">`,
    `<defs>${curtain(palette.ground, first - set.size, art.edge)}</defs>`,
    `<rect width="${SIDE}" height="${SIDE}" fill="${palette.ground}"/>`,
    drawing,
    `<rect width="${SIDE}" height="${SIDE}" fill="url(#curtain)"/>`,
    ...words,
    line(`${dayOf(date)}  ·  ${place}`, 'note', NOTE, LEFT, BOTTOM + 6, palette.note),
    '</svg>',
  ].join('');
};
