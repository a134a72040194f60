import type { Picture } from '#domain/contracts/catalogue.ts';
import { hashOf } from '#domain/kernel/revision.ts';

/** The largest file that is taken for a picture, in bytes. */
export const LARGEST_UPLOAD = 10 * 1024 * 1024;
/** The formats of such a file, as the second part of their media types. */
export const UPLOAD_FORMATS: readonly string[] = ['jpeg', 'png', 'webp'];

/** The widths, in pixels, in which a picture is stored, as far as the original is that wide. The largest has the plain name. */
export const WIDTHS = [480, 960, 1600] as const;

/** The path of a smaller size, made from the path of the largest. */
export const sized = (path: string, width: (typeof WIDTHS)[number]): string =>
  path.replace(/\.webp$/, `-${width}w.webp`);

const OURS = /^\/images\/[0-9a-f]{24}-([0-9a-f]{6})-(\d+)x(\d+)\.webp$/;

/** Size, colour and addresses of a stored picture, read from its path; null for a picture of another site. */
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

/** The path of a picture of this site, from the absolute address that the API answered; other addresses as they are. */
export const stored = (url: string | null, baseUrl: string): string | null =>
  url?.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;

/** The absolute address of a picture, as the API answers it. */
export const absolute = (url: string | null, baseUrl: string): string | null =>
  url?.startsWith('/') ? baseUrl + url : url;

/** The facts of a listing that its poster shows. */
export interface PosterFacts {
  readonly id: number;
  /** The category's slug. */
  readonly category: string;
  readonly title: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly venue: string;
  readonly city: string;
}

/** The path of the poster that the site draws for a listing without a picture. It changes with the facts, so that browsers may keep the file. */
export const posterPath = ({ id, category, title, date, venue, city }: PosterFacts): string =>
  `/images/posters/${id}-${hashOf([category, title, date, venue, city])}.svg`;
