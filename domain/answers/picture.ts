import type { Picture } from '#domain/contracts/catalogue.ts';
import { hashOf } from '#domain/kernel/revision.ts';

/** In bytes. */
export const LARGEST_UPLOAD = 10 * 1024 * 1024;
export const UPLOAD_FORMATS: readonly string[] = ['jpeg', 'png', 'webp'];

/** Pixels. Widths above the original's are not stored. */
export const WIDTHS = [480, 960, 1600] as const;

export const sized = (path: string, width: (typeof WIDTHS)[number]): string =>
  path.replace(/\.webp$/, `-${width}w.webp`);

const OURS = /^\/images\/[0-9a-f]{24}-([0-9a-f]{6})-(\d+)x(\d+)\.webp$/;

/** Null for a picture of another site. */
export const pictureOf = (path: string | null, baseUrl: string): Picture | null => {
  const match = path ? OURS.exec(path) : null;
  if (!path || !match) return null;
  const width = Number(match[2]);
  return {
    width,
    height: Number(match[3]),
    color: `#${match[1]}`,
    sizes: [
      ...WIDTHS.filter((size) => size < width).map((size) => ({
        url: baseUrl + sized(path, size),
        width: size,
      })),
      { url: baseUrl + path, width },
    ],
  };
};

export const stored = (url: string | null, baseUrl: string): string | null =>
  url?.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;

export const absolute = (url: string | null, baseUrl: string): string | null =>
  url?.startsWith('/') ? baseUrl + url : url;

export interface PosterFacts {
  readonly id: number;
  readonly category: string;
  readonly title: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly venue: string;
  readonly city: string;
}

export const posterPath = ({ id, category, title, date, venue, city }: PosterFacts): string =>
  `/images/posters/${id}-${hashOf([category, title, date, venue, city])}.svg`;
