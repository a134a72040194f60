import { hashOf } from '#domain/kernel/revision.ts';
import palettes from './palettes.json' with { type: 'json' };

type Chance = (least: number, most: number) => number;

export const chanceOf = (seed: string): Chance => {
  let state = Number.parseInt(hashOf(seed), 36);
  return (least, most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * (most - least);
  };
};
const whole = (chance: Chance, least: number, most: number) => Math.floor(chance(least, most + 1));
const pick = <Item>(chance: Chance, items: readonly [Item, ...Item[]]): Item =>
  items[whole(chance, 0, items.length - 1)] ?? items[0];

export interface Palette {
  readonly ground: string;
  readonly ink: string;
  readonly note: string;
  readonly colors: readonly string[];
}

type Draw = (chance: Chance, palette: Palette) => string;

interface Art {
  readonly edge: 'fade' | 'cut';
  readonly pictures: readonly [Draw, ...Draw[]];
  readonly palettes: readonly string[];
}

const each = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');
const disc = (x: number, y: number, radius: number, fill: string | undefined): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const stroke = (path: string, color: string | undefined, width: number): string =>
  `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round"/>`;

const rings: Draw = (chance, { colors }) => {
  const [x, y, gap] = [chance(560, 1180), chance(300, 560), whole(chance, 38, 58)];
  const ring = (at: number) =>
    `<circle cx="${x}" cy="${y}" r="${(26 - at) * gap}" fill="none" stroke="${colors[whole(chance, 0, 3)]}" stroke-width="${chance(gap * 0.22, gap * 0.86)}" opacity="${0.48 + at * 0.02}"/>`;
  return each(26, ring) + disc(x, y, gap * 0.6, colors[0]);
};

const waves: Draw = (chance, { colors, ground }) => {
  const [centre, spread] = [chance(620, 980), chance(240, 340)];
  const lengths = [chance(70, 130), chance(34, 60), chance(16, 28)] as const;
  return each(34, (row) => {
    const base = 210 + row * 25;
    const shifts = [chance(0, 6), chance(0, 6), chance(0, 6)] as const;
    const lift = chance(90, 210) * Math.sin(((row + 3) / 40) * Math.PI);
    const sine = (x: number, of: 0 | 1 | 2) => Math.sin(x / lengths[of] + shifts[of]);
    const line = each(103, (step) => {
      const x = step * 16 - 20;
      const shape = Math.abs(sine(x, 0) * 0.55 + sine(x, 1) * 0.3 + sine(x, 2) * 0.15);
      const swing = Math.exp(-(((x - centre) / spread) ** 2)) * lift * shape;
      return `L${x} ${Math.round(base - swing - 3 * Math.sin(x / 40 + shifts[0]))}`;
    });
    return `<path d="M-20 ${base + 90}${line}V${base + 90}Z" fill="${ground}" stroke="${colors[row % 2 === 0 ? 0 : 2]}" stroke-width="5"/>`;
  });
};

const swell: Draw = (chance, { colors }) => {
  const [radius, x] = [chance(240, 330), chance(520, 1080)];
  const wave = (row: number) => {
    const [height, length] = [chance(26, 58), chance(220, 420)];
    const crests = `q${length / 4} ${-height} ${length / 2} 0t${length / 2} 0`.repeat(
      Math.ceil(2100 / length),
    );
    return `<path d="M${-chance(0, length)} ${470 + row * 74}${crests}V1700H-700Z" fill="${colors[(row % 3) + 1]}" opacity="${0.72 + row * 0.04}"/>`;
  };
  return disc(x, 520, radius, colors[0]) + each(7, wave);
};

const plate = (x: number, y: number, radius: number, [rim, inner, food]: readonly (string | undefined)[]) =>
  disc(x, y, radius, rim) +
  disc(x, y, radius * 0.72, inner) +
  disc(x + radius * 0.06, y - radius * 0.04, radius * 0.4, food);

const arcade: Draw = (chance, { colors, ground }) => {
  const count = whole(chance, 3, 5);
  const width = 1760 / count;
  const arch = (at: number) => {
    const shades = [colors[at % 3], colors[(at + 1) % 3], colors[3], ground];
    return each(4, (ring) => {
      const inset = 18 + ring * width * 0.105;
      const half = width / 2 - inset;
      const top = 250 + chance(0, 60) * (at % 2) + inset * 0.9;
      return `<path d="M${at * width - 80 + inset} 1700V${top + half}a${half} ${half} 0 0 1 ${half * 2} 0V1700Z" fill="${shades[ring]}"/>`;
    });
  };
  const shown = plate(chance(500, 1100), 660, chance(120, 160), [colors[3], ground, colors[1]]);
  return each(count, arch) + shown;
};

const table: Draw = (chance, { colors, ground }) =>
  each(7, (at) => {
    const [x, y, radius] = [130 + at * 235, at % 2 === 0 ? 790 : 390, chance(150, 236)];
    const shades = [colors[at % 2 === 0 ? 3 : 0], ground, colors[at % 3]];
    const set = plate(x + chance(-60, 60), y + chance(-90, 90), radius, shades);
    const knife = `M${x + radius + 34} ${y - radius * 0.8}q26 ${radius * 0.5} 0 ${radius}v${radius * 0.9}`;
    return at % 3 === 0 ? set + stroke(knife, colors[at % 3], 16) : set;
  });

const harvest: Draw = (chance, { colors }) => {
  const [cell, half] = [229, 114.5];
  return each(35, (at) => {
    const [color, other] = [colors[whole(chance, 0, 3)], colors[whole(chance, 0, 3)]];
    const shape = pick(chance, [
      `<path d="M0 ${cell}A${cell} ${cell} 0 0 1 ${cell} 0V${cell}Z" fill="${color}"/>`,
      disc(half, half, cell * 0.46, color) + disc(half, half, cell * 0.24, other),
      `<path d="M0 ${cell}V${half}a${half} ${half} 0 0 1 ${cell} 0v${half}Z" fill="${color}"/>`,
      `<path d="M0 0Q${cell} 0 ${cell} ${cell}Q0 ${cell} 0 0Z" fill="${color}"/>${stroke(`M0 0L${cell} ${cell}`, other, 8)}`,
    ]);
    const place = `translate(${(at % 7) * cell} ${Math.floor(at / 7) * cell - 60})`;
    return `<g transform="${place} rotate(${whole(chance, 0, 3) * 90} ${half} ${half})">${shape}</g>`;
  });
};

/** A blur filter would take a hundred times as long. */
const neon = (shape: string): string => {
  const wider = (by: number) =>
    shape.replace(/stroke-width="([\d.]+)"/g, (_, width: string) => `stroke-width="${Number(width) * by}"`);
  return `<g opacity="0.07">${wider(9)}</g><g opacity="0.12">${wider(5)}</g><g opacity="0.22">${wider(2.6)}</g>${shape}`;
};

const floor: Draw = (chance, { colors }) => {
  const [horizon, centre] = [chance(600, 680), chance(560, 1040)];
  const radius = chance(230, 300);
  const away = each(33, (at) => `M${centre + (at - 16) * 26} ${horizon}L${centre + (at - 16) * 300} 1700`);
  const across = each(14, (at) => `M-40 ${horizon + 7 * 1.46 ** at}H1640`);
  const slat = (at: number) =>
    `<rect y="${horizon - radius * (0.62 - at * 0.1)}" width="1600" height="${4 + at * 3.2}"/>`;
  return `<defs><linearGradient id="sun" x2="0" y2="1"><stop stop-color="${colors[2]}"/><stop offset="1" stop-color="${colors[1]}"/></linearGradient><mask id="slats"><rect width="1600" height="${horizon}" fill="white"/>${each(7, slat)}</mask></defs><g mask="url(#slats)">${disc(centre, horizon - radius * 0.28, radius, 'url(#sun)')}</g>${neon(stroke(away + across, colors[0], 3))}`;
};

const tunnel: Draw = (chance, { colors }) => {
  const [x, y] = [chance(640, 960), chance(440, 560)];
  const sides = pick(chance, [3, 4, 4, 6]);
  const frame = (at: number) => {
    const [radius, turn] = [35 * 1.34 ** at, (at + 1) * chance(3, 6) + 45];
    const corner = (of: number) => {
      const angle = ((of / sides) * 360 + turn) * (Math.PI / 180);
      return `${of === 0 ? 'M' : 'L'}${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`;
    };
    return stroke(`${each(sides, corner)}Z`, colors[(at + 1) % 3], 2.8 + at * 0.8);
  };
  return neon(each(15, frame));
};

const lamps: Draw = (chance, { colors }) => {
  const [x, y, wave] = [chance(300, 1300), chance(260, 620), chance(90, 150)];
  return each(24 * 33, (at) => {
    const [cx, cy] = [(at % 33) * 50, 30 + Math.floor(at / 33) * 50];
    const far = Math.hypot(cx - x, cy - y);
    const size = 4 + 20 * Math.max(0, Math.sin(far / wave)) * Math.max(0.15, 1 - far / 1300);
    return disc(cx, cy, Math.round(size), colors[far < 330 ? 2 : far < 720 ? 1 : 0]);
  });
};

const pebble = (chance: Chance, x: number, y: number, radius: number, fill: string | undefined): string => {
  const count = whole(chance, 6, 8);
  const points = Array.from({ length: count }, (_, at) => {
    const [angle, reach] = [(at / count) * Math.PI * 2, radius * chance(0.74, 1.12)];
    return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach] as const;
  });
  const curves = points.map(([px, py], at) => {
    const [nx, ny] = points[(at + 1) % count] ?? [x, y];
    const middle = `${(px + nx) / 2} ${(py + ny) / 2}`;
    return at === 0 ? `M${middle}` : `Q${px} ${py} ${middle}`;
  });
  const [[px, py] = [x, y], [nx, ny] = [x, y]] = points;
  return `<path d="${curves.join('')}Q${px} ${py} ${(px + nx) / 2} ${(py + ny) / 2}Z" fill="${fill}"/>`;
};

const frond = (chance: Chance, x: number, y: number, length: number, turn: number, fill?: string): string => {
  const [count, thick] = [whole(chance, 4, 6), length * 0.1];
  const leaf = (at: number, side: number) => {
    const [from, reach] = [-length * (0.12 + (at / count) * 0.82), side * length * (0.42 - at * 0.04)];
    return `<path d="M0 ${from}c${reach * 0.3} ${-thick * 1.9} ${reach * 0.9} ${-thick * 1.8} ${reach} ${-thick}c${side * thick * 0.4} ${thick * 1.1} ${-reach * 0.5} ${thick * 2.1} ${-reach} ${thick * 1.9}Z"/>`;
  };
  const stem = `<path d="M${-length * 0.035} 0L0 ${-length}L${length * 0.035} 0Z"/>`;
  return `<g transform="translate(${x} ${y}) rotate(${turn})" fill="${fill}">${stem}${each(count, (at) => leaf(at, -1) + leaf(at, 1))}</g>`;
};

const garden: Draw = (chance, { colors }) =>
  [
    pebble(chance, chance(300, 700), chance(320, 480), chance(260, 330), colors[1]),
    pebble(chance, chance(1000, 1320), chance(440, 620), chance(260, 340), colors[3]),
    frond(chance, chance(380, 620), 860, chance(420, 540), chance(-18, 4), colors[0]),
    frond(chance, chance(980, 1240), 900, chance(440, 600), chance(2, 24), colors[2]),
  ].join('');

const stage: Draw = (chance, { colors }) => {
  const steps = whole(chance, 4, 6);
  const width = 1400 / steps + 8;
  const step = (at: number) => {
    const [x, top] = [100 + (at * 1400) / steps, 300 + chance(0, 250)];
    const edge = pick(chance, [
      `M${x} ${top + width / 2}a${width / 2} ${width / 2} 0 0 1 ${width} 0`,
      `M${x} ${top}L${x + width} ${top + width * 0.45}`,
      `M${x} ${top}h${width}`,
    ]);
    return `<path d="${edge}V900H${x}Z" fill="${colors[(at * 3) % 4]}"/>`;
  };
  const sun = disc(chance(480, 1120), 430, chance(190, 260), colors[1]);
  return sun + each(steps, step) + pebble(chance, chance(500, 1100), 560, 130, colors[2]);
};

const mobile: Draw = (chance, { colors, ink }) => {
  const x = chance(700, 900);
  const hang = (from: number, y: number, color: string | undefined) => {
    const [length, radius] = [chance(50, 140), chance(84, 136)];
    const shape = pebble(chance, x + from, y + length + radius * 0.8, radius, color);
    return stroke(`M${x + from} ${y}v${length}`, ink, 4) + shape;
  };
  const beam = (y: number, half: number, colors: readonly (string | undefined)[]) =>
    stroke(`M${x - half} ${y + 20}Q${x} ${y - 50} ${x + half} ${y + 20}`, ink, 6) +
    hang(10 - half, y + 18, colors[0]) +
    hang(half - 10, y + 18, colors[1]);
  return stroke(`M${x} 0V336`, ink, 6) + beam(250, 470, colors) + beam(370, 250, colors.slice(2));
};

export const arts = {
  concerts: { edge: 'fade', pictures: [rings, waves, swell], palettes: palettes.concerts },
  dining: { edge: 'cut', pictures: [arcade, table, harvest], palettes: palettes.dining },
  nightlife: { edge: 'fade', pictures: [floor, tunnel, lamps], palettes: palettes.nightlife },
  culture: { edge: 'cut', pictures: [garden, stage, mobile], palettes: palettes.culture },
} satisfies Record<string, Art>;
