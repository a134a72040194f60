import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { LARGEST_UPLOAD, sized, UPLOAD_FORMATS, WIDTHS } from '#domain/answers/picture.ts';

const MOST_PIXELS = 40_000_000;
const TALLEST = 16_383;
/** Pixels. Finding the dominant colour of the full picture takes longer than the encoding. */
const GLANCE = 48;
/** Encodes in half the default's time; files are 5% larger. */
const EFFORT = 2;

export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
  readonly code = 'UNUSABLE_FILE';
}

export interface StoredImage {
  /** Of the largest size: `/images/{hash}-{rrggbb}-{width}x{height}.webp`, with the dominant colour. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly format: 'webp';
}

export interface ImageStore {
  store(bytes: Buffer): Promise<StoredImage>;
  /** Only for opaque SVG made by the product, never for an uploaded one. */
  storeDrawing(svg: string): Promise<StoredImage>;
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes unused pictures last stored before `before`, and abandoned partial files. Returns how many files. */
  sweep(isUsed: (path: string) => boolean, before: Date): Promise<number>;
}

const NAME = /^[0-9a-f]{24}-[0-9a-f]{6}-\d{1,4}x\d{1,5}(?:-\d{3,4}w)?\.webp$/;

export const PART = '.part';

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');

export const imageFolder = (dataDir: string): string => join(dataDir, 'images');

export const openImageStore = (folder: string): ImageStore => {
  const write = async (name: string, bytes: Buffer): Promise<void> => {
    const file = join(folder, name);
    const isThere = async (): Promise<boolean> => {
      // After a power cut a file may be truncated or empty.
      if ((await stat(file)).size !== bytes.length) return false;
      // Protects a picture stored again from `sweep`.
      const now = new Date();
      await utimes(file, now, now);
      return true;
    };
    if (await isThere().catch(() => false)) return;
    await mkdir(folder, { recursive: true });
    const part = `${file}.${randomUUID()}${PART}`;
    // Flush before renaming: completeness is not checked again.
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
    // Largest first: if it fails, nothing is left on disk.
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
        const said = await sharp(bytes, { limitInputPixels: false }).metadata();
        const { format, width, height, autoOrient: upright } = said;
        if (!UPLOAD_FORMATS.includes(format ?? ''))
          throw new UnusableImage('Please choose a JPEG, PNG or WebP picture.');
        if (width * height > MOST_PIXELS) throw new UnusableImage('The picture has more than 40 megapixels.');
        // Before decoding: forty million rows of one pixel would take half a minute.
        if (Math.round(upright.height * Math.min(1, WIDTHS[2] / upright.width)) > TALLEST)
          throw new UnusableImage('The picture is too tall for its width.');
        return await keep(sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }), bytes);
      } catch (error) {
        // A full disk is not the picture's fault.
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
