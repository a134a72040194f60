/** What the scanner reads, by the reader of its page. `npm run bench -- reading` tries 200 codes in each condition. */
import { describe, expect, test } from 'vitest';
import { CONDITIONS, drawn, readings } from './bench/reading.ts';
import { chanceOf } from './kit/chance.ts';
import { type Picture, photograph, type Shot } from './kit/photograph.ts';
import { readPicture } from './kit/read-picture.ts';
import { sweep } from './kit/sweep.ts';

const LINK = `HTTPS://TICKETS.EXAMPLE.COM/T/${'2718281828'.repeat(20)}`;
const FRAME = { width: 1280, height: 720 };
const shown = (picture: Picture, shot: Shot) =>
  readPicture(photograph(picture, FRAME, shot, chanceOf('shown').roll));
const { picture } = drawn(LINK);

describe('a code is read', () => {
  const hard = ['in perspective, up to 40° and 25°', 'dim, with noise'];
  const codes = sweep(1, 3);
  test.each(sweep(hard, Object.keys(CONDITIONS)))('when it is %s', async (condition) => {
    expect(await readings(condition, codes)).toMatchObject({ soon: codes });
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
