/** Posters of culture: leaves, suns and steps of cut paper, one over the other. */
import { type Art, type Chance, type Palette, palette } from './art.ts';

const palettes: Art['palettes'] = [
  palette('#f2ead8', '#12302f', '#1b6e66', '#1fa693', '#f2a541', '#e4573d', '#12405c'),
  palette('#0e3b3a', '#f5efdf', '#7fe6d6', '#45d4c0', '#f4c95d', '#f26b4e', '#f5efdf'),
  palette('#45d4c0', '#082a2a', '#0a4a47', '#082a2a', '#fff3d9', '#ff7a5c', '#1a7f86'),
  palette('#15233f', '#f6eede', '#6fdccb', '#45d4c0', '#f29c6b', '#f6eede', '#c2405f'),
];

/** A stem with rounded leaves on both sides. */
const frond = (
  chance: Chance,
  x: number,
  y: number,
  length: number,
  turn: number,
  fill: string | undefined,
): string => {
  const leaves: string[] = [];
  const count = chance.whole(4, 6);
  for (let index = 0; index < count; index += 1) {
    const at = -length * (0.12 + (index / count) * 0.82);
    const reach = length * (0.42 - index * 0.04);
    const thick = length * 0.1;
    for (const side of [-1, 1])
      leaves.push(
        `<path d="M0 ${at.toFixed(1)}c${(side * reach * 0.3).toFixed(1)} ${(-thick * 1.9).toFixed(1)} ${(side * reach * 0.9).toFixed(1)} ${(-thick * 1.8).toFixed(1)} ${(side * reach).toFixed(1)} ${(-thick).toFixed(1)}c${(side * thick * 0.4).toFixed(1)} ${(thick * 1.1).toFixed(1)} ${(-side * reach * 0.5).toFixed(1)} ${(thick * 2.1).toFixed(1)} ${(-side * reach).toFixed(1)} ${(thick * 1.9).toFixed(1)}Z"/>`,
      );
  }
  return `<g transform="translate(${x} ${y}) rotate(${turn})" fill="${fill}"><path d="M${-length * 0.035} 0L0 ${-length}L${length * 0.035} 0Z"/>${leaves.join('')}</g>`;
};

/** A round shape with an uneven edge. */
const pebble = (chance: Chance, x: number, y: number, radius: number, fill: string | undefined): string => {
  const count = chance.whole(6, 8);
  const points = Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * Math.PI * 2;
    const reach = radius * chance.between(0.74, 1.12);
    return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach] as const;
  });
  const middle = (a: readonly [number, number], b: readonly [number, number]) =>
    `${((a[0] + b[0]) / 2).toFixed(1)} ${((a[1] + b[1]) / 2).toFixed(1)}`;
  const first = points[0] ?? ([x, y] as const);
  const curves = points.map((point, index) => {
    const next = points[(index + 1) % count] ?? first;
    return `Q${point[0].toFixed(1)} ${point[1].toFixed(1)} ${middle(point, next)}`;
  });
  return `<path d="M${middle(points.at(-1) ?? first, first)}${curves.join('')}Z" fill="${fill}"/>`;
};

const garden = (chance: Chance, { colors }: Palette): string =>
  [
    pebble(chance, chance.between(300, 700), chance.between(320, 480), chance.between(260, 330), colors[1]),
    pebble(chance, chance.between(1000, 1320), chance.between(440, 620), chance.between(260, 340), colors[3]),
    frond(chance, chance.between(380, 620), 860, chance.between(420, 540), chance.between(-18, 4), colors[0]),
    frond(chance, chance.between(980, 1240), 900, chance.between(440, 600), chance.between(2, 24), colors[2]),
    frond(chance, 120, 1500, 620, 12, colors[0]),
    frond(chance, 1500, 1560, 560, -14, colors[1]),
  ].join('');

const stage = (chance: Chance, { colors }: Palette): string => {
  const parts = [
    `<circle cx="${chance.between(480, 1120)}" cy="430" r="${chance.between(190, 260)}" fill="${colors[1]}"/>`,
  ];
  const steps = chance.whole(4, 6);
  for (let index = 0; index < steps; index += 1) {
    const x = 100 + (index * 1400) / steps;
    const width = 1400 / steps + 8;
    const top = 300 + chance.between(0, 250);
    const color = colors[(index * 3) % 4];
    const cap = chance.pick([
      `<path d="M${x} ${top + width / 2}a${width / 2} ${width / 2} 0 0 1 ${width} 0V900H${x}Z"`,
      `<path d="M${x} ${top}L${x + width} ${top + width * 0.45}V900H${x}Z"`,
      `<path d="M${x} ${top}H${x + width}V900H${x}Z"`,
    ]);
    parts.push(`${cap} fill="${color}"/>`);
  }
  parts.push(pebble(chance, chance.between(500, 1100), 560, 130, colors[2]));
  return parts.join('');
};

const mobile = (chance: Chance, { colors, ink }: Palette): string => {
  const parts: string[] = [];
  const beam = (x: number, y: number, half: number) =>
    parts.push(
      `<path d="M${x - half} ${y + 20}Q${x} ${y - 50} ${x + half} ${y + 20}" fill="none" stroke="${ink}" stroke-width="6"/>`,
    );
  const hang = (x: number, y: number, length: number, color: string | undefined) => {
    parts.push(`<path d="M${x} ${y}v${length}" stroke="${ink}" stroke-width="4"/>`);
    parts.push(pebble(chance, x, y + length + 80, chance.between(84, 140), color));
  };
  const x = chance.between(700, 900);
  parts.push(`<path d="M${x} 0V240" stroke="${ink}" stroke-width="6"/>`);
  beam(x, 250, 470);
  hang(x - 460, 268, chance.between(60, 160), colors[0]);
  hang(x + 460, 268, chance.between(120, 240), colors[2]);
  parts.push(`<path d="M${x} 236v130" stroke="${ink}" stroke-width="4"/>`);
  beam(x, 370, 250);
  hang(x - 240, 388, chance.between(60, 140), colors[1]);
  hang(x + 240, 388, chance.between(40, 100), colors[3]);
  return parts.join('');
};

export const culture: Art = { palettes, drawings: [garden, stage, mobile], edge: 'cut' };
