/** What the scanner reads, by the reader of its page. */
import { generateKeyPairSync } from 'node:crypto';
import { create } from 'qrcode';
import { describe, expect, test } from 'vitest';
import { createTicketSigner } from '#infra/tickets/ticket-signer.ts';
import { type Chance, chanceOf } from './kit/chance.ts';
import { type Picture, photograph, type Shot } from './kit/photograph.ts';
import { readPicture } from './kit/read-picture.ts';
import { sweep } from './kit/sweep.ts';

const LINK = `HTTPS://TICKETS.EXAMPLE.COM/T/${'2718281828'.repeat(20)}`;
/** What the scanner asks cameras for. */
const FRAME = { width: 1280, height: 720 };
/** Half a second, at eight looks a second. */
const LOOKS = 4;
/** Pixels of a module where the code is drawn, before it is photographed. */
const MODULE = 8;
const QUIET_ZONE = 4;

const within = (chance: Chance, most: number): number => (2 * chance.roll() - 1) * most;

/**
 * How codes are held. Sizes are the code's own side, without its quiet zone, as a share of the frame's height.
 */
const CONDITIONS: Readonly<Record<string, (chance: Chance) => Shot>> = {
  upright: () => ({ size: 0.6 }),
  'tilted by up to 15°': (chance) => ({ size: 0.5, tilt: within(chance, 15) }),
  'in perspective, up to 40° and 25°': (chance) => ({
    size: 0.5,
    yaw: within(chance, 40),
    pitch: within(chance, 25),
  }),
  'at 70% of the frame': () => ({ size: 0.7 }),
  'at 50% of the frame': () => ({ size: 0.5 }),
  'blurred, sigma 1.5': () => ({ size: 0.6, blur: 1.5 }),
  'dim, with noise': () => ({ size: 0.6, black: 8, white: 45, noise: 8 }),
  'over-exposed': () => ({ size: 0.6, black: 150, white: 340, blur: 1.2 }),
  'on a phone’s screen: grey black, moiré': (chance) => ({
    ...{ size: 0.5, tilt: within(chance, 8) },
    ...{ black: 60, white: 190, moire: 0.3, blur: 0.7 },
  }),
};

/** Draws a link's code with its quiet zone. `share` is what the code itself takes of the picture's side. */
const drawn = (link: string): { readonly picture: Picture; readonly share: number } => {
  const { modules } = create(link, { errorCorrectionLevel: 'M' });
  const side = (modules.size + 2 * QUIET_ZONE) * MODULE;
  const data = Uint8Array.from({ length: side * side }, (_, at) => {
    const column = Math.floor((at % side) / MODULE) - QUIET_ZONE;
    const row = Math.floor(at / side / MODULE) - QUIET_ZONE;
    const inside = column >= 0 && row >= 0 && column < modules.size && row < modules.size;
    return inside && modules.get(row, column) ? 0 : 255;
  });
  return {
    picture: { width: side, height: side, data },
    share: modules.size / (modules.size + 2 * QUIET_ZONE),
  };
};

const signer = createTicketSigner(generateKeyPairSync('ed25519').privateKey);

/** Of so many codes in a condition, how many are read in half a second: the hand trembles, and each picture has a noise of its own. */
const readings = async (condition: string, codes: number): Promise<number> => {
  let read = 0;
  for (let code = 0; code < codes; code += 1) {
    const chance = chanceOf(`${condition}/${code}`);
    const token = signer.sign({
      ...{ bookingId: chance.between(1, 10_000_000), page: chance.between(1, 10) },
      ...{ listingId: chance.between(1, 10_000), quantity: 10, epoch: 1, expiresAt: 1_900_000_000 },
    });
    const link = `HTTPS://TICKETS.EXAMPLE.COM/T/${token}`;
    const shot = CONDITIONS[condition]?.(chance);
    if (!shot) throw new Error(`no condition ${condition}`);
    const { picture: held, share } = drawn(link);
    const [right, down] = [within(chance, 20), within(chance, 10)];
    for (let look = 0; look < LOOKS; look += 1) {
      const moved = { right: right + within(chance, 3), down: down + within(chance, 3) };
      const tilt = (shot.tilt ?? 0) + within(chance, 0.5);
      const frame = { ...shot, ...moved, tilt, size: shot.size / share };
      if ((await readPicture(photograph(held, FRAME, frame, chance.roll))).text !== link) continue;
      read += 1;
      break;
    }
  }
  return read;
};

const shown = (picture: Picture, shot: Shot) =>
  readPicture(photograph(picture, FRAME, shot, chanceOf('shown').roll));
const { picture } = drawn(LINK);

describe('a code is read', () => {
  const hard = ['in perspective, up to 40° and 25°', 'dim, with noise'];
  const codes = sweep(1, 3);
  test.each(sweep(hard, Object.keys(CONDITIONS)))('when it is %s', async (condition) => {
    expect(await readings(condition, codes)).toBe(codes);
  });

  test('inverted, as in dark mode', async () => {
    const dark = { ...picture, data: picture.data.map((light) => 255 - light) };
    expect(await shown(dark, { size: 0.6, black: 40, white: 180 })).toEqual({ text: LINK, unread: false });
  });
});

test('a code that is too far away is seen but not read', async () => {
  expect(await shown(picture, { size: 0.08 })).toEqual({ unread: true });
  expect(await shown(picture, { size: 0.001 })).toEqual({ unread: false });
});

test('a code outside the guide is ignored, and the middle one of two codes is read', async () => {
  expect(await shown(picture, { size: 0.4, right: 240 })).toMatchObject({ text: LINK });
  expect(await shown(picture, { size: 0.4, right: 280 })).toEqual({ unread: false });
  const { picture: other } = drawn(LINK.replaceAll('27', '31'));
  const { width, height } = picture;
  const both = new Uint8Array(2 * width * height);
  for (let row = 0; row < height; row += 1) {
    both.set(picture.data.subarray(row * width, (row + 1) * width), 2 * row * width);
    both.set(other.data.subarray(row * width, (row + 1) * width), (2 * row + 1) * width);
  }
  const pair = { width: 2 * width, height, data: both };
  expect(await shown(pair, { size: 0.4, right: 100 })).toMatchObject({ text: LINK });
  expect(await shown(pair, { size: 0.4, right: -100 })).toMatchObject({ text: LINK.replaceAll('27', '31') });
});
