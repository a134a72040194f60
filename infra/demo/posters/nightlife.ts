/** Posters of nightlife: neon grids, tunnels and lamps. */
import { type Art, type Chance, type Palette, palette } from './art.ts';

const palettes: Art['palettes'] = [
  palette('#0d0720', '#f6f0ff', '#c9b6ff', '#b79cff', '#ff4fd8', '#4de3ff', '#3a1d7a'),
  palette('#080a1f', '#f2f7ff', '#8fe9ff', '#4de3ff', '#8b5cff', '#f7ff5c', '#1b2a6b'),
  palette('#1a0526', '#fff0fb', '#ff9be8', '#ff4fd8', '#ff9a5c', '#b79cff', '#5a136b'),
  palette('#b79cff', '#14072e', '#3d1a75', '#14072e', '#ff4fd8', '#f4eaff', '#7c4dff'),
];

/** A glow is made of wider and fainter strokes under the line. A blur filter would take a hundred times as long. */
const GLOW = [
  { wider: 9, opacity: 0.07 },
  { wider: 5, opacity: 0.12 },
  { wider: 2.6, opacity: 0.22 },
] as const;

const widened = (shape: string, by: number): string =>
  shape.replace(/stroke-width="([\d.]+)"/g, (_, width: string) => `stroke-width="${Number(width) * by}"`);

const neon = (shape: string): string =>
  GLOW.map(({ wider, opacity }) => `<g opacity="${opacity}">${widened(shape, wider)}</g>`).join('') + shape;

const floor = (chance: Chance, { colors }: Palette): string => {
  const horizon = chance.between(600, 680);
  const centre = chance.between(560, 1040);
  const lines: string[] = [];
  for (let index = -16; index <= 16; index += 1)
    lines.push(`<path d="M${centre + index * 26} ${horizon}L${centre + index * 300} 1700"/>`);
  for (let index = 0; index < 14; index += 1)
    lines.push(`<path d="M-40 ${(horizon + 7 * 1.46 ** index).toFixed(1)}H1640"/>`);
  const radius = chance.between(230, 300);
  const slats = Array.from({ length: 7 }, (_, index) => {
    const y = horizon - radius * 0.62 + index * radius * 0.1;
    return `<rect x="0" y="${y.toFixed(1)}" width="1600" height="${4 + index * 3.2}" fill="black"/>`;
  });
  return `<defs><linearGradient id="sun" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colors[2]}"/><stop offset="1" stop-color="${colors[1]}"/></linearGradient><mask id="slats"><rect width="1600" height="${horizon}" fill="white"/>${slats.join('')}</mask></defs><circle cx="${centre}" cy="${horizon - radius * 0.28}" r="${radius}" fill="url(#sun)" mask="url(#slats)"/>${neon(`<g fill="none" stroke="${colors[0]}" stroke-width="3">${lines.join('')}</g>`)}`;
};

const tunnel = (chance: Chance, { colors }: Palette): string => {
  const [x, y] = [chance.between(640, 960), chance.between(440, 560)];
  const sides = chance.pick([3, 4, 4, 6]);
  const parts: string[] = [];
  for (let index = 1; index <= 15; index += 1) {
    const radius = 26 * 1.34 ** index;
    const turn = index * chance.between(3, 6);
    const points = Array.from({ length: sides }, (_, corner) => {
      const angle = ((corner / sides) * 360 + turn + 45) * (Math.PI / 180);
      return `${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`;
    });
    parts.push(
      `<polygon points="${points.join(' ')}" fill="none" stroke="${colors[index % 3]}" stroke-width="${(2 + index * 0.8).toFixed(1)}" stroke-linejoin="round"/>`,
    );
  }
  return `${neon(parts.join(''))}`;
};

const lamps = (chance: Chance, { colors }: Palette): string => {
  const [x, y] = [chance.between(300, 1300), chance.between(260, 620)];
  const wave = chance.between(90, 150);
  const parts: string[] = [];
  for (let row = 0; row < 24; row += 1)
    for (let column = 0; column < 33; column += 1) {
      const [cx, cy] = [column * 50, 30 + row * 50];
      const far = Math.hypot(cx - x, cy - y);
      const size = 4 + 20 * Math.max(0, Math.sin(far / wave)) * Math.max(0.15, 1 - far / 1300);
      const color = colors[far < 330 ? 2 : far < 720 ? 1 : 0];
      parts.push(`<circle cx="${cx}" cy="${cy}" r="${size.toFixed(1)}" fill="${color}"/>`);
    }
  return parts.join('');
};

export const nightlife: Art = { palettes, drawings: [floor, tunnel, lamps], edge: 'fade' };
