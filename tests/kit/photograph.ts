/** What a camera sees of a picture that somebody holds up to it: tilted, leaning, far off, blurred, in bad light. */
import { chanceOf } from './chance.ts';

/** A grey picture, one byte a pixel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** How the picture is held, and what the light, the lens and the sensor make of it. */
export interface Shot {
  /** The picture's height as a share of the frame's. */
  readonly size: number;
  /** Degrees by which it is turned in its own plane. */
  readonly tilt?: number;
  /** Degrees by which it leans about its upright axis and its level one, which gives a perspective. */
  readonly yaw?: number;
  readonly pitch?: number;
  /** Where its middle is, in pixels from the frame's. */
  readonly right?: number;
  readonly down?: number;
  /** Sigma of the lens's blur, in pixels of the frame. */
  readonly blur?: number;
  /** What black and white become. A sensor cuts off what is above 255. */
  readonly black?: number;
  readonly white?: number;
  /** Sigma of the sensor's noise. */
  readonly noise?: number;
  /** How far, as a share, the grids of a screen and of the sensor make each other lighter and darker. */
  readonly moire?: number;
}

type Point = readonly [number, number, number];
type Roll = () => number;

/** Samples of a pixel in each direction, so that edges are smooth. */
const FINE = 3;
/** The lens's focal length as a share of the frame's longer side, as in phones. */
const FOCAL = 0.95;
const CLUTTER = 30;

/** Noise of sigma 1: of even numbers between 0 and 1, twelve add up to a bell with a variance of one. */
const grainsOf = (roll: Roll): Float32Array =>
  Float32Array.from(
    { length: 99_991 },
    () => Array.from({ length: 12 }, roll).reduce((sum, one) => sum + one) - 6,
  );
const GRAINS = grainsOf(chanceOf('grains').roll);

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** The picture's plane in front of the camera: its level and upright axes, one picture's height long, and its middle. */
const planeOf = (
  { size, tilt = 0, yaw = 0, pitch = 0, right = 0, down = 0 }: Shot,
  height: number,
  focal: number,
) => {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [r, y, p] = [radians(tilt), radians(yaw), radians(pitch)] as const;
  const turned = ([across, along]: readonly [number, number]): Point => {
    const [a, b] = [across * Math.cos(r) - along * Math.sin(r), across * Math.sin(r) + along * Math.cos(r)];
    const [level, depth] = [a * Math.cos(y), -a * Math.sin(y)];
    return [level, b * Math.cos(p) - depth * Math.sin(p), b * Math.sin(p) + depth * Math.cos(p)];
  };
  const far = focal / (size * height);
  const middle: Point = [(right * far) / focal, (down * far) / focal, far];
  return { across: turned([1, 0]), along: turned([0, 1]), middle };
};

/** A room with things in it that are no code. */
const roomOf = (width: number, height: number, roll: Roll): Float32Array => {
  const light = new Float32Array(width * height).fill(40 + 120 * roll());
  for (let count = 0; count < CLUTTER; count += 1) {
    const [left, top] = [Math.floor(width * roll()), Math.floor(height * roll())];
    const right = Math.min(width, left + Math.ceil(width * 0.3 * roll() ** 2));
    const bottom = Math.min(height, top + Math.ceil(height * 0.3 * roll() ** 2));
    const shade = 20 + 215 * roll();
    for (let y = top; y < bottom; y += 1) light.fill(shade, y * width + left, y * width + right);
  }
  return light;
};

/** Blurs in place. */
const blurred = (light: Float32Array, width: number, height: number, sigma: number): void => {
  const radius = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * radius + 1 }, (_, at) =>
    Math.exp(-((at - radius) ** 2) / (2 * sigma ** 2)),
  );
  const whole = weights.reduce((sum, weight) => sum + weight);
  const line = new Float32Array(Math.max(width, height) + 2 * radius);
  const along = (start: number, step: number, length: number): void => {
    for (let i = -radius; i < length + radius; i += 1)
      line[i + radius] = light[start + Math.max(0, Math.min(length - 1, i)) * step] as number;
    for (let i = 0; i < length; i += 1) {
      let sum = 0;
      for (let at = 0; at <= 2 * radius; at += 1) sum += (weights[at] as number) * (line[i + at] as number);
      light[start + i * step] = sum / whole;
    }
  };
  for (let y = 0; y < height; y += 1) along(y * width, 1, width);
  for (let x = 0; x < width; x += 1) along(x, width, height);
};

/** Photographs a picture: the luminance of a frame. `roll` gives numbers from 0 up to 1; the same ones give the same photograph. */
export const photograph = (
  picture: Picture,
  { width, height }: { readonly width: number; readonly height: number },
  shot: Shot,
  roll: Roll,
): Picture => {
  const { blur = 0, black = 25, white = 225, noise = 2, moire = 0 } = shot;
  const focal = FOCAL * Math.max(width, height);
  const { across, along, middle } = planeOf(shot, height, focal);
  const normal: Point = [
    across[1] * along[2] - across[2] * along[1],
    across[2] * along[0] - across[0] * along[2],
    across[0] * along[1] - across[1] * along[0],
  ];
  const depth = dot(middle, normal);
  const [aside, above] = [dot(middle, across), dot(middle, along)];
  const light = roomOf(width, height, roll);
  // What the ray through a point of the frame meets: the picture, or the room behind it.
  const met = (x: number, y: number, room: number): number => {
    const [rx, ry] = [(x - width / 2) / focal, (y - height / 2) / focal];
    const far = depth / (rx * normal[0] + ry * normal[1] + normal[2]);
    const u =
      (far * (rx * across[0] + ry * across[1] + across[2]) - aside) * picture.height + picture.width / 2;
    const v =
      (far * (rx * along[0] + ry * along[1] + along[2]) - above) * picture.height + picture.height / 2;
    if (u < 0 || v < 0 || u >= picture.width || v >= picture.height) return room;
    return picture.data[Math.floor(v) * picture.width + Math.floor(u)] as number;
  };
  const half = picture.width / picture.height / 2;
  const corners = [-1, 1].flatMap((side) =>
    [-0.5, 0.5].map((upright) => {
      const on = (axis: 0 | 1 | 2): number =>
        middle[axis] + side * half * across[axis] + upright * along[axis];
      return [width / 2 + (focal * on(0)) / on(2), height / 2 + (focal * on(1)) / on(2)] as const;
    }),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  for (let y = Math.floor(Math.min(...ys)); y <= Math.max(...ys); y += 1)
    for (let x = Math.floor(Math.min(...xs)); x <= Math.max(...xs); x += 1) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const room = light[y * width + x] as number;
      let sum = 0;
      for (let fine = 0; fine < FINE * FINE; fine += 1)
        sum += met(x + ((fine % FINE) + 0.5) / FINE, y + (Math.floor(fine / FINE) + 0.5) / FINE, room);
      light[y * width + x] = sum / FINE ** 2;
    }
  for (let i = 0; i < light.length; i += 1) light[i] = black + ((white - black) * (light[i] as number)) / 255;
  const waves = [0.05 + 0.25 * roll(), 0.15 * roll(), 0.15 * roll(), 0.05 + 0.25 * roll()] as const;
  if (moire > 0)
    for (let i = 0; i < light.length; i += 1) {
      const [x, y] = [i % width, Math.floor(i / width)];
      const beat =
        Math.sin(2 * Math.PI * (waves[0] * x + waves[1] * y)) +
        Math.sin(2 * Math.PI * (waves[2] * x + waves[3] * y));
      light[i] = (light[i] as number) * (1 + (moire * beat) / 2);
    }
  if (blur > 0) blurred(light, width, height, blur);
  const data = new Uint8Array(light.length);
  const first = Math.floor(GRAINS.length * roll());
  for (let i = 0; i < data.length; i += 1) {
    const grain = GRAINS[(first + i) % GRAINS.length] as number;
    data[i] = Math.max(0, Math.min(255, Math.round((light[i] as number) + noise * grain)));
  }
  return { width, height, data };
};
