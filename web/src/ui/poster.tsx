import { useState } from 'react';
import type { Picture } from '#domain/contracts/catalogue.ts';
import { Icon } from './icons.tsx';
import { colors } from './theme/tokens.ts';

/** The placeholder under a poster until it is there: the category's own dark. */
const grounds: Record<string, string> = {
  concerts: '#3a1512',
  dining: '#33230c',
  nightlife: '#1d1440',
  culture: '#0c2f2e',
};

/** Our stored pictures say in their names what a page needs to know (`/images/{hash}-{colour}-{width}x{height}.webp`). */
const OURS = /\/images\/[0-9a-f]{24}-([0-9a-f]{6})-(\d+)x(\d+)(-\d+w)?\.webp$/;
const WIDTHS = [480, 960, 1600];

/** The widths of a picture that came as an address alone. */
const pictureOf = (url: string | null | undefined): Picture | undefined => {
  const match = url ? OURS.exec(url) : null;
  if (!url || !match) return undefined;
  const width = Number(match[2]);
  return {
    width,
    height: Number(match[3]),
    color: `#${match[1]}`,
    sizes: WIDTHS.filter((size) => size <= width).map((size) => ({
      url: url.replace(/\.webp$/, `-${size}w.webp`),
      width: size,
    })),
  };
};

/** The same picture from where the page came from: a site has more names than the one it knows itself by. */
const here = (url: string): string => (OURS.test(url) ? url.replace(/^https?:\/\/[^/]+/, '') : url);

/** An event's picture, with its place kept free for it, and the specification's words where it is broken. */
export const Poster = ({
  url,
  picture,
  category,
  ratio = '4 / 3',
  sizes = '(min-width: 1024px) 360px, (min-width: 600px) 50vw, 100vw',
  alt = '',
  eager,
  round,
}: {
  url: string | null | undefined;
  /** The widths in which it exists, and its dominant colour. */
  picture?: Picture | null;
  category: string;
  /** CSS aspect ratio, or `undefined` to fill the height of what holds it. */
  ratio?: string | null;
  sizes?: string;
  /** Empty where the title stands beside it. */
  alt?: string;
  eager?: boolean;
  round?: boolean;
}) => {
  const [broken, setBroken] = useState<string>();
  const known = picture ?? pictureOf(url);
  const shown = url && broken !== url ? here(url) : undefined;
  return (
    <div
      className="poster"
      style={{
        ...(ratio ? { aspectRatio: ratio } : {}),
        ...(round ? { borderRadius: 'var(--radius-large)' } : {}),
        background: (shown && known?.color) || (grounds[category] ?? colors.lifted),
      }}
    >
      {shown ? (
        <img
          className="poster-image"
          src={shown}
          srcSet={known?.sizes.map((size) => `${here(size.url)} ${size.width}w`).join(', ') || undefined}
          sizes={sizes}
          width={known?.width ?? 1200}
          height={known?.height ?? 900}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          onError={() => setBroken(url ?? undefined)}
        />
      ) : (
        <div className="poster-missing">
          <Icon name="image" size={28} />
          <span>Image unavailable</span>
        </div>
      )}
    </div>
  );
};
