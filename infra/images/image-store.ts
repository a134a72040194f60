import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

/** Widths in pixels at which pictures are kept, as far as the original goes; the largest is kept under the plain name. */
export const WIDTHS = [480, 960, 1600] as const;
/** Bytes. */
export const LARGEST_UPLOAD = 10 * 1024 * 1024;
const MOST_PIXELS = 40_000_000;
/** Flat colours lose nothing at this width, and cost half. */
const DRAWING_WIDTH = 1200;
/** Of WebP's 0 to 6: half the time of the usual 4, for files that are a twentieth larger. */
const EFFORT = 2;
const FORMATS = new Set(['jpeg', 'png', 'webp']);

/** Thrown for what is not a picture that we take. Maps to 422 `UNUSABLE_FILE`; the message may be shown. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
  readonly code = 'UNUSABLE_FILE';
}

/** A picture that is kept. */
export interface StoredImage {
  /**
   * The path of the largest size on this site. The name holds all that a page needs: `/images/{hash}-{rrggbb}-{width}x{height}.webp`;
   * `sized` gives the names of the smaller ones, and `rrggbb` is the dominant colour.
   */
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly format: 'webp';
}

/** Keeps pictures on disk, re-encoded, without metadata, named by their content: the same picture is kept once. */
export interface ImageStore {
  /** @throws UnusableImage */
  store(bytes: Buffer): Promise<StoredImage>;
  /** Draws an SVG of ours (never one that was uploaded) and stores it. */
  storeDrawing(svg: string): Promise<StoredImage>;
  /** A stored file's bytes, `undefined` if there is none of that name. */
  read(name: string): Promise<Buffer | undefined>;
}

const NAME = /^[0-9a-f]{24}-[0-9a-f]{6}-\d{2,4}x\d{2,5}(?:-\d{3,4}w)?\.webp$/;

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');

/** The name of a smaller size, from the path of the largest. */
export const sized = (path: string, width: (typeof WIDTHS)[number]): string =>
  path.replace(/\.webp$/, `-${width}w.webp`);

/** A store in a folder, which is made when it is first written to. Several processes may share it. */
export const openImageStore = (folder: string): ImageStore => {
  const write = async (name: string, bytes: Buffer): Promise<void> => {
    const file = join(folder, name);
    const there = await stat(file).catch(() => undefined);
    if (there) return;
    await mkdir(folder, { recursive: true });
    const part = `${file}.${process.pid}.part`;
    await writeFile(part, bytes);
    await rename(part, file);
  };

  const keep = async (picture: Sharp, source: Buffer, largestWidth: number): Promise<StoredImage> => {
    const largest = await picture
      .rotate()
      .resize({ width: largestWidth, withoutEnlargement: true })
      .webp({ quality: 82, effort: EFFORT })
      .toBuffer({ resolveWithObject: true });
    const { width, height } = largest.info;
    const { dominant } = await sharp(largest.data).stats();
    const colour = `${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`;
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 24);
    const path = `/images/${hash}-${colour}-${width}x${height}.webp`;
    for (const size of WIDTHS.filter((one) => one < width)) {
      const bytes = await sharp(largest.data)
        .resize({ width: size })
        .webp({ quality: 80, effort: EFFORT })
        .toBuffer();
      await write(sized(path, size).slice('/images/'.length), bytes);
    }
    await write(path.slice('/images/'.length), largest.data);
    return { path, width, height, bytes: largest.data.length, format: 'webp' };
  };

  return {
    async store(bytes) {
      if (bytes.length > LARGEST_UPLOAD) throw new UnusableImage('The picture is larger than 10 MB.');
      try {
        const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
        const { format } = await picture.metadata();
        if (!FORMATS.has(format ?? '')) throw new UnusableImage('Please choose a JPEG, PNG or WebP picture.');
        return await keep(picture, bytes, WIDTHS[2]);
      } catch (error) {
        if (error instanceof UnusableImage) throw error;
        throw new UnusableImage('This picture can’t be read. It may be damaged, or too large.', {
          cause: error,
        });
      }
    },
    storeDrawing: (svg) => keep(sharp(Buffer.from(svg), { density: 72 }), Buffer.from(svg), DRAWING_WIDTH),
    async read(name) {
      if (!NAME.test(name)) return undefined;
      return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
    },
  };
};
