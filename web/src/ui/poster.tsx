import { useState } from 'react';
import { type PosterFacts, pictureOf, posterPath } from '#domain/answers/picture.ts';
import type { Picture } from '#domain/contracts/catalogue.ts';
import { Icon } from './icons.tsx';

const HOST = /^https?:\/\/[^/]+(?=\/images\/[0-9a-f]{24}-[0-9a-f]{6}-\d+x\d+(-\d+w)?\.webp$)/;

/** Strips the host of our own pictures, so that they load under any host name of the site. */
const here = (url: string): string => url.replace(HOST, '');

type Pictured =
  | (PosterFacts & {
      readonly imageUrl: string | null;
      readonly picture?: Picture | null;
    })
  | { readonly imageUrl: string; readonly id?: never };

export const Poster = ({
  of,
  ratio = '4 / 3',
  sizes = '(min-width: 1024px) 360px, (min-width: 600px) 50vw, 100vw',
  alt = '',
  eager,
  round,
}: {
  of: Pictured;
  /** CSS aspect ratio; null fills the container's height. */
  ratio?: string | null;
  sizes?: string;
  /** Empty where the title is beside the picture. */
  alt?: string;
  eager?: boolean;
  round?: boolean;
}) => {
  const [broken, setBroken] = useState<string>();
  const event = of.id === undefined ? undefined : of;
  const url = of.imageUrl ? here(of.imageUrl) : event && posterPath(event);
  const shown = broken === url ? undefined : url;
  const known = event?.picture ?? pictureOf(shown ?? null, '');
  return (
    <div
      className="poster"
      data-category={event?.category}
      style={{
        ...(ratio ? { aspectRatio: ratio } : {}),
        ...(round ? { borderRadius: 'var(--radius-large)' } : {}),
        ...(shown && known ? { background: known.color } : {}),
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
          // A picture that failed before hydration fires no error event.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBroken(url));
          }}
          onError={() => setBroken(url)}
        />
      ) : (
        <div className="stand-in">
          <Icon name="image" size={28} />
          <span>Image unavailable</span>
        </div>
      )}
    </div>
  );
};
