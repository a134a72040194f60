/** How many codes the scanner reads as people hold them, against the reader that it had: html5-qrcode's, on the picture of a phone's screen. */
import { generateKeyPairSync } from 'node:crypto';
import { Html5QrcodeSupportedFormats } from 'html5-qrcode/cjs/core.js';
import { ZXingHtml5QrcodeDecoder } from 'html5-qrcode/cjs/zxing-html5-qrcode-decoder.js';
import { create } from 'qrcode';
import { createTicketSigner } from '#infra/tickets/ticket-signer.ts';
import { type Chance, chanceOf } from '#tests/kit/chance.ts';
import { type Picture, photograph, type Shot } from '#tests/kit/photograph.ts';
import { readPicture } from '#tests/kit/read-picture.ts';
import type { Row } from './row.ts';

/** What the scanner asks cameras for. */
const FRAME = { width: 1280, height: 720 };
/** What it asked for before. */
const OLD_FRAME = { width: 640, height: 480 };
/** Half a second, at eight looks a second. */
const LOOKS = 4;
const ORIGIN = 'https://tickets.example.com';
/** Pixels of a module where the code is drawn, before it is photographed. */
const MODULE = 8;
const QUIET_ZONE = 4;

/** The old reader's canvas at a viewport 390 pixels wide, and the part of the frame that it showed. */
const OLD_CANVAS = 167;
const OLD_GUIDE = 0.72;

const within = (chance: Chance, most: number): number => (2 * chance.roll() - 1) * most;

/**
 * How codes are held. Sizes are the code's own side, without its quiet zone, as a share of the frame's height; but for the 70% all are
 * inside the old reader's guide.
 */
export const CONDITIONS: Readonly<Record<string, (chance: Chance) => Shot>> = {
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

const signer = createTicketSigner(generateKeyPairSync('ed25519').privateKey);

/** A ticket's link as it was, and as it is. */
const linksOf = (chance: Chance): { readonly now: string; readonly before: string } => {
  const token = signer.sign({
    ...{ bookingId: chance.between(1, 10_000_000), page: chance.between(1, 10) },
    ...{ listingId: chance.between(1, 10_000), quantity: 10, epoch: 1, expiresAt: 1_900_000_000 },
  });
  const bytes = Buffer.from(BigInt(token).toString(16).padStart(174, '0'), 'hex');
  return {
    now: `${ORIGIN}/T/${token}`.toUpperCase(),
    before: `${ORIGIN}/verify-ticket/${bytes.toString('base64url')}`,
  };
};

/** Draws a link's code with its quiet zone. `share` is what the code itself takes of the picture's side. */
export const drawn = (link: string): { readonly picture: Picture; readonly share: number } => {
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

/** The pictures of half a second of a code: the hand trembles, and the noise is another one in each. */
const filmed = function* (link: string, frame: typeof FRAME, shot: Shot, chance: Chance): Generator<Picture> {
  const { picture, share } = drawn(link);
  const [right, down] = [within(chance, 20), within(chance, 10)];
  for (let look = 0; look < LOOKS; look += 1) {
    const tremble = {
      right: right + within(chance, 3),
      down: down + within(chance, 3),
      tilt: (shot.tilt ?? 0) + within(chance, 0.5),
    };
    yield photograph(picture, frame, { ...shot, ...tremble, size: shot.size / share }, chance.roll);
  }
};

/** The look at which a reader reads a link: 1 is the first one, `undefined` none. */
const looksUntil = async (
  link: string,
  looks: Iterable<Picture>,
  read: (picture: Picture) => Promise<string | undefined>,
): Promise<number | undefined> => {
  let count = 0;
  for (const picture of looks) {
    count += 1;
    if ((await read(picture)) === link) return count;
  }
  return undefined;
};

const oldDecoder = new ZXingHtml5QrcodeDecoder([Html5QrcodeSupportedFormats.QR_CODE], false, {
  log() {},
  warn() {},
  logError() {},
  logErrors() {},
});

/** What html5-qrcode read: the guide's part of the picture in as many pixels as it had on the screen, each between four of the picture's. */
const readAsBefore = async ({ width, height, data }: Picture): Promise<string | undefined> => {
  const side = OLD_GUIDE * Math.min(width, height);
  const light = (x: number, y: number): number => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const at = (column: number, row: number): number => data[row * width + column] ?? 0;
    const upper = at(left, top) + (x - left) * (at(left + 1, top) - at(left, top));
    const lower = at(left, top + 1) + (x - left) * (at(left + 1, top + 1) - at(left, top + 1));
    return upper + (y - top) * (lower - upper);
  };
  const pixels = new Uint8ClampedArray(4 * OLD_CANVAS * OLD_CANVAS).fill(255);
  for (let at = 0; at < OLD_CANVAS * OLD_CANVAS; at += 1) {
    const [column, row] = [at % OLD_CANVAS, Math.floor(at / OLD_CANVAS)];
    const inside = (place: number): number => ((place + 0.5) * side) / OLD_CANVAS - 0.5;
    const seen = light((width - side) / 2 + inside(column), (height - side) / 2 + inside(row));
    pixels.fill(seen, 4 * at, 4 * at + 3);
  }
  const canvas = {
    ...{ width: OLD_CANVAS, height: OLD_CANVAS },
    getContext: () => ({ getImageData: () => ({ data: pixels }) }),
  };
  return oldDecoder.decodeAsync(canvas as unknown as HTMLCanvasElement).then(
    ({ text }) => text,
    () => undefined,
  );
};

/** Of so many codes in a condition, how many are read in half a second, and at the first look. */
export const readings = async (
  condition: string,
  codes: number,
): Promise<{ readonly soon: number; readonly atOnce: number }> => {
  const shotOf = CONDITIONS[condition];
  if (!shotOf) throw new Error(`no condition ${condition}`);
  let [soon, atOnce] = [0, 0];
  for (let code = 0; code < codes; code += 1) {
    const chance = chanceOf(`${condition}/${code}`);
    const { now } = linksOf(chance);
    const look = await looksUntil(
      now,
      filmed(now, FRAME, shotOf(chance), chance),
      async (picture) => (await readPicture(picture)).text,
    );
    if (look) soon += 1;
    if (look === 1) atOnce += 1;
  }
  return { soon, atOnce };
};

const readingsBefore = async (condition: string, codes: number): Promise<number> => {
  let soon = 0;
  for (let code = 0; code < codes; code += 1) {
    const chance = chanceOf(`${condition}/${code}`);
    const { before } = linksOf(chance);
    const shot = CONDITIONS[condition]?.(chance) ?? { size: 1 };
    if (await looksUntil(before, filmed(before, OLD_FRAME, shot, chance), readAsBefore)) soon += 1;
  }
  return soon;
};

/** Milliseconds of processor that a look takes which finds nothing: it tries everything. */
const costOfNothing = async (): Promise<number> => {
  const chance = chanceOf('nothing');
  const empty = { width: 1, height: 1, data: new Uint8Array(1) };
  const pictures = Array.from({ length: 10 }, () =>
    photograph(empty, FRAME, { size: 0.001, noise: 4 }, chance.roll),
  );
  for (const picture of pictures) await readPicture(picture);
  const before = process.cpuUsage();
  for (const picture of pictures) await readPicture(picture);
  return process.cpuUsage(before).user / 1_000 / pictures.length;
};

/** @param codes so many in each condition; the old reader gets a quarter of them, since it looks at each as long as it may */
export const run = async ({ codes = 200 } = {}): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let [all, allBefore] = [0, 0];
  for (const condition of Object.keys(CONDITIONS)) {
    const { soon, atOnce } = await readings(condition, codes);
    const before = await readingsBefore(condition, Math.ceil(codes / 4));
    const [share, first, shareBefore] = [soon / codes, atOnce / codes, before / Math.ceil(codes / 4)];
    all += share;
    allBefore += shareBefore;
    const unit = `% in half a second (${(100 * first).toFixed(1)} at the first look; html5-qrcode ${(100 * shareBefore).toFixed(0)})`;
    rows.push({ what: `reading: ${condition}`, figure: 100 * share, unit });
  }
  rows.push({ what: 'reading: ratio to html5-qrcode, all conditions', figure: all / allBefore, unit: '×' });
  rows.push({
    what: 'reading: a look that finds nothing',
    figure: await costOfNothing(),
    unit: 'ms of processor',
  });
  return rows;
};
