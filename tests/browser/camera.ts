/** A camera that sees a ticket: Chromium plays a film in place of a device, and the film shows the code on the real PDF. */
import { execFile, execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';

const WIDTH = 640;
const HEIGHT = 480;
/** How large the code is held before the camera, in pixels: within the scanner's guide, 72% of the height. */
const HELD = 336;
/** Where the code's white card is on the page, in points: see `infra/tickets/ticket-pdf.ts`. */
const CARD = { left: 100, top: 340, size: 220 };
const DOTS_AN_INCH = 216;

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

/**
 * Photographs the code on the first page of a ticket's PDF, and writes a film in YUV4MPEG2, which plays in a loop: the
 * ticket is held up, and taken away for longer than the scanner takes a code for the one it has just read.
 */
export const filmTicket = async (pdf: string, film: string): Promise<void> => {
  const scale = DOTS_AN_INCH / 72;
  const [x, y, side] = [CARD.left, CARD.top, CARD.size].map((points) => String(Math.round(points * scale)));
  const area = ['-x', x, '-y', y, '-W', side, '-H', side].map(String);
  const shot = `${film}.shot`;
  await promisify(execFile)('pdftoppm', [
    ...['-png', '-singlefile', '-f', '1', '-r', String(DOTS_AN_INCH)],
    ...area,
    pdf,
    shot,
  ]);
  const light = await sharp(`${shot}.png`)
    .resize(HELD, HELD)
    .extend({
      top: (HEIGHT - HELD) / 2,
      bottom: (HEIGHT - HELD) / 2,
      left: (WIDTH - HELD) / 2,
      right: (WIDTH - HELD) / 2,
      background: '#d8d4cc',
    })
    .greyscale()
    .raw()
    .toBuffer();
  await rm(`${shot}.png`);
  // Paper and ink have no colour: both planes of it stay in the middle.
  const colour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = (luma: Buffer): Buffer => Buffer.concat([Buffer.from('FRAME\n'), luma, colour]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`);
  const held = Array.from({ length: FRAMES_HELD }, () => frame(light));
  const away = Array.from({ length: FRAMES_AWAY }, () => frame(Buffer.alloc(WIDTH * HEIGHT, 90)));
  await writeFile(film, Buffer.concat([header, ...held, ...away]));
};
