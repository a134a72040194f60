/** Posters of dining: arches of a room, and plates on a table. */
import { type Art, type Chance, type Palette, palette } from './art.ts';

const palettes: Art['palettes'] = [
  palette('#f3e3c7', '#2c1a0e', '#8a3d14', '#e8973a', '#b5482a', '#6b7a3a', '#fff6e4'),
  palette('#2b1a10', '#fbecd2', '#ffb454', '#ffb454', '#c2552d', '#7d8b4a', '#f4dcb4'),
  palette('#ffb454', '#2a1606', '#70330a', '#fff0d2', '#d4542a', '#3f4f2c', '#ffd08a'),
  palette('#1f2b22', '#f8ecd6', '#f2b661', '#f2b661', '#e0653a', '#f6e3c0', '#55704f'),
];

const plate = (
  x: number,
  y: number,
  radius: number,
  [rim, inner, food]: readonly (string | undefined)[],
): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${rim}"/><circle cx="${x}" cy="${y}" r="${radius * 0.72}" fill="${inner}"/><circle cx="${x + radius * 0.06}" cy="${y - radius * 0.04}" r="${radius * 0.4}" fill="${food}"/>`;

const arcade = (chance: Chance, { colors, ground }: Palette): string => {
  const count = chance.whole(3, 5);
  const width = 1760 / count;
  const parts: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const x = -80 + index * width;
    const shade = [colors[index % 3], colors[(index + 1) % 3], colors[3], ground];
    for (let ring = 0; ring < 4; ring += 1) {
      const inset = 18 + ring * width * 0.105;
      const half = width / 2 - inset;
      const top = 250 + chance.between(0, 60) * (index % 2) + inset * 0.9;
      parts.push(
        `<path d="M${x + inset} 1700V${top + half}a${half} ${half} 0 0 1 ${half * 2} 0V1700Z" fill="${shade[ring]}"/>`,
      );
    }
  }
  parts.push(plate(chance.between(500, 1100), 660, chance.between(120, 160), [colors[3], ground, colors[1]]));
  return parts.join('');
};

const table = (chance: Chance, { colors, ground }: Palette): string => {
  const parts: string[] = [];
  const spots = [
    [380, 420],
    [860, 330],
    [1290, 520],
    [620, 760],
    [1120, 830],
    [150, 800],
    [1560, 260],
  ] as const;
  spots.forEach(([x, y], index) => {
    const radius = chance.between(150, 236);
    const turn = index % 3;
    parts.push(
      plate(x + chance.between(-40, 40), y + chance.between(-40, 40), radius, [
        colors[3 - (index % 2) * 3] ?? colors[3],
        ground,
        colors[turn],
      ]),
    );
    if (index % 2 === 0)
      parts.push(
        `<path d="M${x + radius + 34} ${y - radius * 0.8}q26 ${radius * 0.5} 0 ${radius}v${radius * 0.9}" fill="none" stroke="${colors[turn]}" stroke-width="16" stroke-linecap="round"/>`,
      );
  });
  return parts.join('');
};

const harvest = (chance: Chance, { colors }: Palette): string => {
  const parts: string[] = [];
  const cell = 229;
  for (let row = 0; row < 5; row += 1)
    for (let column = 0; column < 7; column += 1) {
      const [x, y] = [column * cell, row * cell - 60];
      const color = colors[chance.whole(0, 3)];
      const other = colors[chance.whole(0, 3)];
      const turn = chance.whole(0, 3) * 90;
      const shape = chance.pick([
        `<path d="M0 ${cell}A${cell} ${cell} 0 0 1 ${cell} 0V${cell}Z" fill="${color}"/>`,
        `<circle cx="${cell / 2}" cy="${cell / 2}" r="${cell * 0.46}" fill="${color}"/><circle cx="${cell / 2}" cy="${cell / 2}" r="${cell * 0.24}" fill="${other}"/>`,
        `<path d="M0 ${cell}V${cell / 2}a${cell / 2} ${cell / 2} 0 0 1 ${cell} 0v${cell / 2}Z" fill="${color}"/>`,
        `<path d="M0 0Q${cell} 0 ${cell} ${cell}Q0 ${cell} 0 0Z" fill="${color}"/><path d="M0 0L${cell} ${cell}" stroke="${other}" stroke-width="8"/>`,
      ]);
      parts.push(`<g transform="translate(${x} ${y}) rotate(${turn} ${cell / 2} ${cell / 2})">${shape}</g>`);
    }
  return parts.join('');
};

export const dining: Art = { palettes, drawings: [arcade, table, harvest], edge: 'cut' };
