/** A camera that sees tickets: Chromium plays a film in place of a device, and the film shows the codes of real PDFs. */
import { execFile, execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { chanceOf } from '#tests/kit/chance.ts';
import { type Picture, photograph } from '#tests/kit/photograph.ts';

/** What the film's camera gives: less than the scanner asks for. */
export const FRAME = { width: 640, height: 480 };
/** Where the code's white card is on a page, in points: see `infra/tickets/ticket-pdf.ts`. */
const CARD = { left: 100, top: 340, size: 220 };
export const DOTS_A_POINT = 3;

const FRAMES_A_SECOND = 4;
const FRAMES_HELD = 6;
const FRAMES_AWAY = 8;

/** Why there can be no camera here, or nothing. */
export const noCamera: string | undefined = (() => {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'pdftoppm (poppler-utils) is not installed, and shows the ticket to the camera';
  }
})();

/** What makes Chromium take a film for its camera, and give every page access to it. */
export const cameraFlags = (film: string): readonly string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
];

/** The white card with the code, as it is on a page of a ticket's PDF. */
export const cardOf = async (pdf: string, page = 1): Promise<Picture> => {
  const [x, y, side] = [CARD.left, CARD.top, CARD.size].map((points) => String(points * DOTS_A_POINT));
  const shot = `${pdf}.${page}`;
  await promisify(execFile)('pdftoppm', [
    ...['-png', '-singlefile', '-f', String(page), '-r', String(72 * DOTS_A_POINT)],
    ...['-x', x, '-y', y, '-W', side, '-H', side].map(String),
    ...[pdf, shot],
  ]);
  const image = sharp(`${shot}.png`).greyscale().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  await rm(`${shot}.png`);
  return { width: info.width, height: info.height, data };
};

/** Writes frames as a film in YUV4MPEG2, which Chromium plays in a loop. */
export const writeFilm = async (film: string, frames: readonly Picture[]): Promise<void> => {
  const { width, height } = FRAME;
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`);
  // Paper and ink have no colour: both planes of it stay in the middle.
  const colour = Buffer.alloc((width * height) / 2, 128);
  const parts = frames.flatMap(({ data }) => [Buffer.from('FRAME\n'), data, colour]);
  await writeFile(film, Buffer.concat([header, ...parts]));
};

export const away: Picture = { ...FRAME, data: new Uint8Array(FRAME.width * FRAME.height).fill(90) };

/**
 * Films the code on the first page of a ticket's PDF: it is held up, and taken away for longer than the scanner takes a code for
 * the one it has just read.
 */
export const filmTicket = async (pdf: string, film: string): Promise<void> => {
  const held = photograph(await cardOf(pdf), FRAME, { size: 0.7 }, chanceOf('the story').roll);
  await writeFilm(film, [...Array(FRAMES_HELD).fill(held), ...Array(FRAMES_AWAY).fill(away)]);
};
