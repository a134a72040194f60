import type { PosterFacts } from '#domain/answers/picture.ts';
import { drawNote, drawTitle } from './lettering.ts';
import { arts, chanceOf, type Palette } from './motifs.ts';

/** Drawing units. Pages may crop 200 from top and bottom (4:3), so text stays clear of these. */
const SIDE = 1600;
const PIXELS = 1200;
const TITLE_BASELINE = 1210;
const NOTE_BASELINE = 1308;
const NOTE_SIZE = 54;

const dayOf = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' })
    .format(new Date(`${date}T12:00:00Z`))
    .replace(',', '');

const curtain = (ground: string, top: number, edge: 'fade' | 'cut'): string => {
  const [from, to, opacity] = edge === 'fade' ? [150, 10, 0.97] : [42, 41, 1];
  const stop = (y: number, opaque: number) =>
    `<stop offset="${(y / SIDE).toFixed(4)}" stop-color="${ground}" stop-opacity="${opaque}"/>`;
  return `<linearGradient id="curtain" x2="0" y2="1">${stop(top - from, 0)}${stop(top - to, opacity)}${stop(SIDE, 1)}</linearGradient>`;
};

export const drawPoster = ({ id, category, title, date, venue, city }: PosterFacts): string => {
  const known = Object.keys(arts).find((name): name is keyof typeof arts => name === category);
  const { edge, pictures, palettes } = arts[known ?? 'culture'];
  const [ground = '', ink = '', note = '', ...colors] = (palettes[id % palettes.length] ?? '').split(' ');
  const palette: Palette = { ground, ink, note, colors };
  const draw = pictures[id % pictures.length] ?? pictures[0];
  const picture = draw(chanceOf(`${category} ${id} ${title}`), palette).replace(/(\.\d\d)\d+/g, '$1');
  const words = drawTitle(title, TITLE_BASELINE, ink);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PIXELS}" height="${PIXELS}" viewBox="0 0 ${SIDE} ${SIDE}">`,
    `<defs>${curtain(ground, words.top, edge)}</defs>`,
    `<rect width="${SIDE}" height="${SIDE}" fill="${ground}"/>${picture}`,
    `<rect width="${SIDE}" height="${SIDE}" fill="url(#curtain)"/>${words.drawn}`,
    drawNote(`${dayOf(date)}  ·  ${venue}, ${city}`, NOTE_SIZE, NOTE_BASELINE, note),
    '</svg>',
  ].join('');
};
