/** Posters of concerts: waves and rings, as a loudspeaker makes them in the air. */
import { type Art, type Chance, type Palette, palette } from './art.ts';

const palettes: Art['palettes'] = [
  palette('#1c0b16', '#fff1e6', '#ffb8a3', '#ff8068', '#ff4d6d', '#ffd2b8', '#7a1f3d'),
  palette('#ff6f59', '#1d0a10', '#4a0f1a', '#ffd9b8', '#c8102e', '#1d0a10', '#ffa38f'),
  palette('#10162f', '#fff4e4', '#ffb59e', '#ff8068', '#ffcf70', '#5b6ee1', '#2a3470'),
  palette('#f6e7d3', '#26101a', '#8c2a2a', '#e8452c', '#f5a15b', '#26101a', '#f2c7a5'),
];

const rings = (chance: Chance, { colors }: Palette): string => {
  const x = chance.between(560, 1180);
  const y = chance.between(300, 560);
  const gap = chance.whole(38, 58);
  const parts: string[] = [];
  for (let index = 26; index >= 1; index -= 1) {
    const color = colors[chance.whole(0, colors.length - 1)];
    const width = chance.between(gap * 0.22, gap * 0.86);
    parts.push(
      `<circle cx="${x}" cy="${y}" r="${index * gap}" fill="none" stroke="${color}" stroke-width="${width.toFixed(1)}" opacity="${(1 - index * 0.02).toFixed(2)}"/>`,
    );
  }
  parts.push(`<circle cx="${x}" cy="${y}" r="${gap * 0.6}" fill="${colors[0]}"/>`);
  return parts.join('');
};

const waves = (chance: Chance, { colors, ground }: Palette): string => {
  const parts: string[] = [];
  const centre = chance.between(620, 980);
  const spread = chance.between(240, 340);
  const [one, two, three] = [chance.between(70, 130), chance.between(34, 60), chance.between(16, 28)];
  for (let row = 0; row < 34; row += 1) {
    const base = 210 + row * 25;
    const [a, b, c] = [chance.between(0, 6), chance.between(0, 6), chance.between(0, 6)];
    const lift = chance.between(90, 210) * Math.sin(((row + 3) / 40) * Math.PI);
    let path = `M-20 ${base}`;
    for (let x = -20; x <= 1620; x += 16) {
      const envelope = Math.exp(-(((x - centre) / spread) ** 2));
      const shape = Math.abs(
        Math.sin(x / one + a) * 0.55 + Math.sin(x / two + b) * 0.3 + Math.sin(x / three + c) * 0.15,
      );
      path += `L${x} ${(base - envelope * lift * shape - 3 * Math.sin(x / 40 + a)).toFixed(1)}`;
    }
    parts.push(
      `<path d="${path}L1620 ${base + 90}L-20 ${base + 90}Z" fill="${ground}"/><path d="${path}" fill="none" stroke="${colors[row % 2 === 0 ? 0 : 2]}" stroke-width="5"/>`,
    );
  }
  return parts.join('');
};

const swell = (chance: Chance, { colors }: Palette): string => {
  const sun = chance.between(240, 330);
  const x = chance.between(520, 1080);
  const parts = [`<circle cx="${x}" cy="520" r="${sun}" fill="${colors[0]}"/>`];
  for (let row = 0; row < 7; row += 1) {
    const base = 470 + row * 74;
    const height = chance.between(26, 58);
    const length = chance.between(220, 420);
    const shift = chance.between(0, length);
    let path = `M${-shift} ${base}`;
    for (let at = -shift; at < 1700; at += length)
      path += `q${length / 4} ${-height} ${length / 2} 0t${length / 2} 0`;
    parts.push(
      `<path d="${path}V1700H-700Z" fill="${colors[(row % 3) + 1]}" opacity="${(0.72 + row * 0.04).toFixed(2)}"/>`,
    );
  }
  return parts.join('');
};

export const concerts: Art = { palettes, drawings: [rings, waves, swell], edge: 'fade' };
