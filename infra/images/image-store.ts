import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { LARGEST_UPLOAD, sized, UPLOAD_FORMATS, WIDTHS } from '#domain/answers/picture.ts';

const MOST_PIXELS = 40_000_000;
/** The longest side of a WebP, in pixels. */
const TALLEST = 16_383;
/** The side, in pixels, of the glance at which the dominant colour is told. In a whole picture it takes longer than the encoding. */
const GLANCE = 48;
/** WebP's effort, from 0 to 6. Compared with the usual 4, encoding takes half the time and files are 5% larger. */
const EFFORT = 2;

/** Thrown for a file that can't be used as a picture. The HTTP answer is 422 `UNUSABLE_FILE`, with the message. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
  readonly code = 'UNUSABLE_FILE';
}

/** A stored picture. */
export interface StoredImage {
  /**
   * The path of its largest size: `/images/{hash}-{rrggbb}-{width}x{height}.webp`, where `rrggbb` is the dominant colour. `sized`
   * makes the paths of the smaller sizes from it, and `pictureOf` reads it (`domain/answers/picture.ts`).
   */
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly format: 'webp';
}

/** Stores pictures on disk: re-encoded, without metadata, named by their content, so that the same picture is stored once. */
export interface ImageStore {
  /** Stores an uploaded JPEG, PNG or WebP. @throws UnusableImage */
  store(bytes: Buffer): Promise<StoredImage>;
  /** Renders an SVG that the product made (never an uploaded one), which must cover its whole ground, and stores it. */
  storeDrawing(svg: string): Promise<StoredImage>;
  /** The bytes of a stored file; `undefined` if there is no file of that name. */
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes pictures, in all their sizes, that `isUsed` doesn't name by their path and that nobody has stored since `before`, and what was begun and left. Returns how many files. */
  sweep(isUsed: (path: string) => boolean, before: Date): Promise<number>;
}

const NAME = /^[0-9a-f]{24}-[0-9a-f]{6}-\d{1,4}x\d{1,5}(?:-\d{3,4}w)?\.webp$/;

/** The end of a file's name until all of it is there. */
export const PART = '.part';

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');

/** Where a site keeps its pictures. */
export const imageFolder = (dataDir: string): string => join(dataDir, 'images');

/** A store in a folder. The folder is made with the first picture; several processes may share it. */
export const openImageStore = (folder: string): ImageStore => {
  const write = async (name: string, bytes: Buffer): Promise<void> => {
    const file = join(folder, name);
    const isThere = async (): Promise<boolean> => {
      // A power cut may have left a part of it, or nothing but its name.
      if ((await stat(file)).size !== bytes.length) return false;
      // A picture that is stored again is not to be swept away.
      const now = new Date();
      await utimes(file, now, now);
      return true;
    };
    if (await isThere().catch(() => false)) return;
    await mkdir(folder, { recursive: true });
    // The same picture may be on its way twice.
    const part = `${file}.${randomUUID()}${PART}`;
    // On the disk before it has its name: nobody looks again whether all of it is there.
    await writeFile(part, bytes, { flush: true });
    await rename(part, file);
  };

  const keep = async (picture: Sharp, source: Buffer): Promise<StoredImage> => {
    const { data, info } = await picture
      .rotate()
      .resize({ width: WIDTHS[2], withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const pixels = () => sharp(data, { raw: { width, height, channels } });
    const glance = pixels()
      .resize({ width: GLANCE, height: GLANCE, fit: 'inside' })
      .png({ compressionLevel: 0 });
    const { dominant } = await sharp(await glance.toBuffer()).stats();
    const colour = `${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`;
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 24);
    const path = `/images/${hash}-${colour}-${width}x${height}.webp`;
    // The largest size comes first: where it can't be made, nothing is left on disk.
    const largest = await pixels().webp({ quality: 82, effort: EFFORT }).toBuffer();
    for (const size of WIDTHS.filter((one) => one < width)) {
      const smaller = pixels().resize({ width: size }).webp({ quality: 80, effort: EFFORT });
      await write(sized(path, size).slice('/images/'.length), await smaller.toBuffer());
    }
    await write(path.slice('/images/'.length), largest);
    return { path, width, height, bytes: largest.length, format: 'webp' };
  };

  return {
    async store(bytes) {
      if (bytes.length > LARGEST_UPLOAD) throw new UnusableImage('The picture is larger than 10 MB.');
      try {
        // Only what the file says of itself: that costs the same for any size.
        const said = await sharp(bytes, { limitInputPixels: false }).metadata();
        const { format, width, height, autoOrient: upright } = said;
        if (!UPLOAD_FORMATS.includes(format ?? ''))
          throw new UnusableImage('Please choose a JPEG, PNG or WebP picture.');
        if (width * height > MOST_PIXELS) throw new UnusableImage('The picture has more than 40 megapixels.');
        // Before it is decoded: forty million rows of one pixel would take half a minute.
        if (Math.round(upright.height * Math.min(1, WIDTHS[2] / upright.width)) > TALLEST)
          throw new UnusableImage('The picture is too tall for its width.');
        return await keep(sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }), bytes);
      } catch (error) {
        // A full disk says nothing about the picture.
        if (error instanceof UnusableImage || (error instanceof Error && 'syscall' in error)) throw error;
        throw new UnusableImage('This picture can’t be read. It may be damaged.', { cause: error });
      }
    },
    storeDrawing: (svg) => keep(sharp(Buffer.from(svg), { density: 72 }).removeAlpha(), Buffer.from(svg)),
    async sweep(isUsed, before) {
      let swept = 0;
      for (const name of await readdir(folder).catch(() => [])) {
        const isLeftOver = name.endsWith(PART);
        if (!isLeftOver && !NAME.test(name)) continue;
        if (isUsed(`/images/${name.replace(/-\d+w\.webp$/, '.webp')}`)) continue;
        const file = join(folder, name);
        if ((await stat(file)).mtime >= before) continue;
        await unlink(file);
        swept += 1;
      }
      return swept;
    },
    async read(name) {
      if (!NAME.test(name)) return undefined;
      return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
    },
  };
};
