import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sized } from '#domain/answers/picture.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { type ImageStore, openImageStore, UnusableImage } from './image-store.ts';

let store: ImageStore;
beforeAll(async () => {
  store = openImageStore(await freshFolder());
});

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ff6b4a' } })
    .withExif({ IFD0: { Artist: 'somebody' } })
    .jpeg()
    .toBuffer();

describe('the image store', () => {
  it('re-encodes to WebP in three widths, without metadata, under a name from the content', async () => {
    const image = await store.store(await photo(2000, 1000));
    expect(image).toMatchObject({ width: 1600, height: 800, format: 'webp' });
    expect(image.path).toMatch(/^\/images\/[0-9a-f]{24}-[0-9a-f]{6}-1600x800\.webp$/);
    const small = await store.read(sized(image.path, 480).slice('/images/'.length));
    const meta = await sharp(small).metadata();
    expect([meta.format, meta.width, meta.exif]).toEqual(['webp', 480, undefined]);
    expect((await store.store(await photo(2000, 1000))).path).toBe(image.path);
  });

  it('writes an image again that a power cut left incomplete', async () => {
    const folder = await freshFolder();
    const own = openImageStore(folder);
    const { path, bytes } = await own.store(await photo(300, 200));
    const name = path.slice('/images/'.length);
    await truncate(join(folder, name));
    expect((await own.store(await photo(300, 200))).path).toBe(path);
    expect(await own.read(name)).toHaveLength(bytes);
  });

  it.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['an uploaded drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('refuses %s', async (_what, bytes) => {
    await expect(store.store(bytes)).rejects.toThrow(UnusableImage);
  });

  it('refuses a truncated image and one above 40 megapixels', async () => {
    const whole = await photo(800, 800);
    await expect(store.store(whole.subarray(0, whole.length / 3))).rejects.toThrow(UnusableImage);
    await expect(store.store(await photo(8000, 5100))).rejects.toThrow(UnusableImage);
  });

  it('refuses an image that is too tall for WebP and leaves nothing on disk', async () => {
    const folder = await freshFolder();
    const own = openImageStore(folder);
    await expect(own.store(await photo(500, 16_500))).rejects.toThrow('too tall');
    expect(await readdir(folder)).toEqual([]);
    // As soon as it says so of itself: the rest of this one is missing.
    const begun = (await photo(500, 16_500)).subarray(0, 2_000);
    await expect(own.store(begun)).rejects.toThrow('too tall');
  });

  it('turns a photo upright', async () => {
    const red = { create: { width: 40, height: 40, channels: 3, background: '#ff0000' } } as const;
    const lying = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#0000ff' } })
      .composite([{ input: await sharp(red).png().toBuffer(), left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { path, ...image } = await store.store(lying);
    expect(image).toMatchObject({ width: 40, height: 80 });
    const upright = await store.read(path.slice('/images/'.length));
    const half = (top: number) =>
      sharp(upright).extract({ left: 0, top, width: 40, height: 40 }).resize(1, 1).raw().toBuffer();
    const [above, below] = [await half(0), await half(40)];
    expect(above[0]).toBeGreaterThan(200);
    expect(below[2]).toBeGreaterThan(200);
  });

  it('stores the smallest image too', async () => {
    const { path } = await store.store(await photo(8, 8));
    expect(await store.read(path.slice('/images/'.length))).toBeDefined();
  });

  it('stores the same image for several callers at the same moment', async () => {
    const bytes = await photo(900, 700);
    const stored = await Promise.all(Array.from({ length: 8 }, () => store.store(bytes)));
    expect(new Set(stored.map(({ path }) => path)).size).toBe(1);
  });

  it('does not blame the image for a failing disk', async () => {
    const file = join(await freshFolder(), 'a file');
    await writeFile(file, '');
    await expect(openImageStore(file).store(await photo(9, 9))).rejects.toMatchObject({ syscall: 'mkdir' });
  });

  it('sweeps unfinished files, but no other kinds of file', async () => {
    const folder = await freshFolder();
    const { path } = await openImageStore(folder).store(await photo(9, 9));
    const name = path.slice('/images/'.length);
    for (const other of [`${name}.b1946ac9.part`, 'notes.txt']) await writeFile(join(folder, other), '');
    const sweep = (before: Date) => openImageStore(folder).sweep((used) => used === path, before);
    expect(await sweep(new Date(Date.now() - 60_000))).toBe(0);
    expect(await sweep(new Date(Date.now() + 60_000))).toBe(1);
    expect((await readdir(folder)).sort()).toEqual([name, 'notes.txt']);
  });

  it('reads only files with names of its own form', async () => {
    expect(await store.read('../../etc/passwd')).toBeUndefined();
    expect(await store.read(`${'0'.repeat(24)}-000000-10x10.webp`)).toBeUndefined();
  });
});
