import { useState } from 'react';
import type { Picture } from '#domain/contracts/catalogue.ts';
import { Icon } from './icons.tsx';
import { colors } from './theme/tokens.ts';

/** The background that shows until the poster has loaded: a dark shade of the category's colour. */
const grounds: Record<string, string> = {
  concerts: '#3a1512',
  dining: '#33230c',
  nightlife: '#1d1440',
  culture: '#0c2f2e',
};

/** The names of our stored pictures hold their colour and size: `/images/{hash}-{colour}-{width}x{height}.webp`. */
const OURS = /\/images\/[0-9a-f]{24}-([0-9a-f]{6})-(\d+)x(\d+)(-\d+w)?\.webp$/;
const WIDTHS = [480, 960, 1600];

/** Size, colour and widths of a stored picture, read from its name. Undefined for pictures of other sites. */
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

/** The address of our own picture without its host, so that it loads from whichever host name the page was opened under. */
const here = (url: string): string => (OURS.test(url) ? url.replace(/^https?:\/\/[^/]+/, '') : url);

/** An event's picture. Its space is reserved before it loads; where it can't be loaded, the specification's text stands instead. */
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
  /** CSS aspect ratio; null lets the picture fill the height of its container. */
  ratio?: string | null;
  sizes?: string;
  /** The text for screen readers; empty where the title stands beside the picture. */
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
          // One that failed before this script was there tells nobody.
          ref={(image) => {
            if (eager && image?.complete && image.naturalWidth === 0)
              image.decode().catch(() => setBroken(url ?? undefined));
          }}
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
